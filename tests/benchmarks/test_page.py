"""The page of benchmarks: its rows are those of the table of budgets, and it tells what happened."""

from __future__ import annotations

import dataclasses
import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

import budgets  # noqa: E402
import figures  # noqa: E402
import page  # noqa: E402
import parts  # noqa: E402

Cells = list[str]
SEARCH = budgets.BY_KEY["tui.search"]


def rows(markdown: str) -> list[Cells]:
    """Cells of the tables of figures."""
    found = [
        re.split(r"(?<!\\) \| ", line.strip("| "))
        for line in markdown.partition("## Figures")[2].splitlines()
        if line.startswith("| ") and not line.startswith("| figure |")
    ]
    return [cells for cells in found if len(cells) >= 7]


def row(markdown: str, what: str) -> str:
    (found,) = (line for line in markdown.splitlines() if line.startswith(f"| {what} |"))
    return found


def shown(*measured: figures.Figure, failure: str = "") -> str:
    """The page of a run in which the terminal browser was measured, or failed."""
    outcome = parts.Outcome("2026-01-02T03:04+00:00", 5.0, "abc", (0.1, 0.9), (8.0, 8.1), failure, measured)
    return page.page(page.Results({"CPU": "one"}, {"Python": "3"}, {"tui": outcome}))


def test_the_page_has_a_row_with_its_budget_for_each_figure_and_no_other() -> None:
    written = [(cells[0], cells[6]) for cells in rows(page.PAGE.read_text(encoding="utf-8"))]
    assert sorted(written) == sorted((one.what, figures.budget(one)) for one in budgets.ROWS)


def test_the_page_is_made_of_what_was_measured() -> None:
    # `make docs` writes it again where wording or budgets have changed since.
    assert page.page(page.read(page.RESULTS)) == page.PAGE.read_text(encoding="utf-8")


def test_each_figure_has_a_part_that_measures_it_and_a_name_of_its_own() -> None:
    measured = {part.name for part in parts.PARTS}
    assert {one.part for one in budgets.ROWS} == measured | {"stamps"}
    assert {one.key for one in page.kept().figures} == {one.key for one in budgets.ROWS if one.part == "stamps"}
    assert all((BENCHMARKS / part.script).exists() for part in parts.PARTS)
    assert len(budgets.BY_KEY) == len(budgets.ROWS)


@pytest.mark.parametrize(
    ("key", "values", "against", "holds"),
    [
        ("tui.memory", (149.0, 151.0, 140.0), (), True),
        ("tui.memory", (151.0, 152.0, 140.0), (), False),
        ("tui.keys", (1.0,) * 98 + (17.0, 17.0), (), True),
        ("tui.keys", (1.0,) * 94 + (17.0,) * 6, (), False),
        ("import.speed-kineto", (51.0,), (40.0,), True),
        ("import.speed-kineto", (49.0,), (40.0,), False),
        # Pair by pair 1.2, 1.2 and 1.0, while the machine slowed down.
        ("edit.layouts", (12.0, 120.0, 1000.0), (10.0, 100.0, 1000.0), True),
        ("edit.layouts", (14.0, 140.0, 1000.0), (10.0, 100.0, 1000.0), False),
        ("capture.eager", (119.0,), (100.0,), True),
        ("capture.eager", (121.0,), (100.0,), False),
        ("memory.session", (9.0,), (1.0,), None),
    ],
)
def test_a_budget_is_held_against_what_it_is_for(
    key: str, values: tuple[float, ...], against: tuple[float, ...], holds: bool | None
) -> None:
    assert figures.Figure(key, values, against).holds is holds


def test_a_broken_budget_is_told_with_its_figure_and_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = figures.Figure("tui.search", (400.0, 420.0, 410.0))
    assert "410 ms, budget ≤ 300 ms. Not explained yet." in shown(slow)
    known = dataclasses.replace(SEARCH, reason="Texts are not indexed")
    monkeypatch.setitem(budgets.BY_KEY, SEARCH.key, known)
    text = shown(slow)
    assert "410 ms, budget ≤ 300 ms. Texts are not indexed." in text
    assert "**does not hold**" in row(text, SEARCH.what)
    assert "| 400–420 | 3 |" in row(text, SEARCH.what)
    assert "not indexed" not in shown(figures.Figure("tui.search", (200.0,)))


def test_what_is_missing_is_said_with_why_and_what_was_measured_before_stays() -> None:
    text = shown(figures.Figure("tui.search", (200.0,)), failure="not done after 300 s")
    assert "holds" in row(text, SEARCH.what)
    assert row(text, "first paint (CPU, imports apart)").endswith("| **not measured**: not done after 300 s |")
    missing = len([one for one in budgets.ROWS if one.part != "stamps"]) - 1
    assert f"{missing} figures were not measured" in text


def test_a_part_that_breaks_keeps_its_figures_and_says_its_last_word(tmp_path: Path) -> None:
    script = tmp_path / "breaks.py"
    script.write_text(
        f"import sys; sys.path.insert(0, {str(BENCHMARKS)!r})\n"
        "from figures import Figure, options, report\n"
        "def measure():\n"
        "    yield Figure('compare.target', (1.0, 2.0, 3.0))\n"
        "    raise ValueError('no such thing: /some/where/else.py')\n"
        "raise SystemExit(report(measure(), options('').parse_args().json))\n"
    )
    outcome = parts.run(parts.Part("compare", "", str(script), ""), tmp_path, quick=False)
    assert [figure.value for figure in outcome.figures] == [2.0]
    assert outcome.failure == "ended with status 1: ValueError: no such thing: …/else.py"


def test_a_part_that_does_not_end_is_ended_with_what_it_started(tmp_path: Path) -> None:
    script, mark = tmp_path / "hangs.py", tmp_path / "alive"
    child = f"import pathlib, time\nwhile True: pathlib.Path({str(mark)!r}).touch(); time.sleep(0.05)"
    script.write_text(f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {child!r}])\n")
    outcome = parts.run(parts.Part("compare", "", str(script), "", limit_s=1), tmp_path, quick=False)
    assert outcome.failure == "not done after 1 s"
    assert mark.exists()
    mark.unlink()
    time.sleep(0.3)
    assert not mark.exists()


def test_a_script_alone_measures_the_rows_of_its_part(tmp_path: Path) -> None:
    out = tmp_path / "figures.jsonl"
    command = [sys.executable, str(BENCHMARKS / "diff.py"), "--runs", "1", "--json", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    kept = [figures.from_json(value) for value in map(json.loads, out.read_text(encoding="utf-8").splitlines())]
    assert {one.key for one in kept} == {one.key for one in budgets.ROWS if one.part == "diff"}
    assert all(len(one.values) == len(one.against) == 1 for one in kept)
    assert len(done.stdout.splitlines()) == len(kept)
