"""Lint runs with the real compiler: one cold run, all others from its cache."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from tilescope.schemas import SCHEMAS

from .conftest import CRASHING, GUESSED, TARGETS, UNINITIALISED, Project, run


@pytest.fixture(autouse=True)
def _there(compiled: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(compiled.folder)


def test_findings_of_all_targets_each_once(compiled: Project) -> None:
    assert compiled.cold.code == 1
    document = compiled.cold.json
    jsonschema.validate(document, SCHEMAS["lint"]())
    assert document["files"] == ["kernels/add.py", "kernels/bad.py", "kernels/clean.py"]
    (uninitialised,) = [one for one in document["findings"] if one["code"] == "TS310"]
    assert (uninitialised["file"], uninitialised["line"]) == ("kernels/add.py", 12)
    assert [one["target"] for one in uninitialised["variants"]] == ["cuda:sm_80", "cuda:sm_90a"]
    bad = [one for one in document["findings"] if one["file"] == "kernels/bad.py"]
    assert bad
    assert all(one["severity"] == "error" and one["code"].startswith("TS1") for one in bad)


def test_a_warm_run_starts_no_worker_and_finds_the_same(compiled: Project) -> None:
    warm = compiled.lint(".", *TARGETS, "--format", "json", "--python", str(compiled.folder / "python"))
    assert warm.code == 2  # no such interpreter: it is looked for even so
    warm = compiled.lint(".", *TARGETS, "--format", "json")
    assert (warm.code, warm.out) == (1, compiled.cold.out)


def test_shards_together_are_the_whole(compiled: Project, tmp_path: Path) -> None:
    for count in (2, 3):
        parts = [tmp_path / f"{number}-{count}.json" for number in range(1, count + 1)]
        for number, part in enumerate(parts, start=1):
            compiled.lint(".", *TARGETS, "--shard", f"{number}/{count}", "--format", "json", "-o", part)
        merged = run("merge", *reversed(parts), "--format", "json")
        assert (merged.code, merged.out) == (1, compiled.cold.out)
        lost = run("merge", *parts[1:])
        assert (lost.code, lost.out) == (2, "")
        assert f"part 1/{count} is missing" in lost.err
    assert "more than once" in run("merge", *parts, parts[0]).err
    assert "parts of different runs" in run("merge", parts[0], tmp_path / "1-2.json").err


def test_merge_refuses_what_is_no_part(tmp_path: Path) -> None:
    for text in ("", "[]", "{}", '{"schema": "tilescope.lint/1"}', '{"schema": "tilescope.lint/1", "findings": 3}'):
        (tmp_path / "part.json").write_text(text)
        ran = run("merge", tmp_path / "part.json")
        assert (ran.code, ran.out) == (2, "")
        assert "is no output of tilescope lint" in ran.err
    assert run("merge", tmp_path / "none.json").code == 2


def test_the_matrix_tells_what_lowers_where_and_why_not(compiled: Project) -> None:
    text = compiled.lint(".", *TARGETS, "--matrix")
    rows = [line.split() for line in text.out.splitlines()]
    assert rows[0] == ["kernel", "cuda:sm_80", "cuda:sm_90a"]
    assert [row[1:] for row in rows[1:4]] == [
        ["add.main", "yes", "yes"],
        ["bad.main", "no", "no"],
        ["scale.main", "yes", "yes"],
    ]
    assert "kernels/bad.py:8 bad.main for cuda:sm_80: TS1" in text.out
    table = compiled.lint(".", *TARGETS, "--matrix", "--format", "markdown").out
    assert "| kernel | cuda:sm_80 | cuda:sm_90a |" in table
    assert "<summary>Why not (2)</summary>" in table
    document = compiled.lint(".", *TARGETS, "--matrix", "--format", "json").json
    jsonschema.validate(document, SCHEMAS["matrix"]())
    assert {(one["kernel"], one["status"]) for one in document["cells"]} == {
        ("add.main", "ok"),
        ("bad.main", "failed"),
        ("scale.main", "ok"),
    }
    assert compiled.lint(".", *TARGETS, "--matrix", "--format", "sarif").code == 2


def test_selection_and_levels(compiled: Project) -> None:
    def found(*arguments: str) -> tuple[int, set[str]]:
        ran = compiled.lint("kernels/add.py", *TARGETS, "--format", "json", *arguments)
        return ran.code, {one["code"] for one in ran.json["findings"]}

    assert found("--select", "TS3") == (1, {"TS310"})
    assert found("--select", "TS2") == (0, set())
    assert found("--ignore", "TS3")[1].isdisjoint({"TS310"})
    assert found("--ignore", "TS3", "--extend-select", "TS310") == (1, {"TS310"})
    assert found("--fail-level", "error") == (0, {"TS310"})
    assert found("--exit-zero") == (0, {"TS310"})


def test_the_configuration_of_each_file_counts(compiled: Project) -> None:
    (compiled.folder / "kernels" / "tilescope.toml").write_text(
        "[lint]\nper_file_ignores = { 'add.py' = 'TS3' }\nseverity = { TS1 = 'info' }\n"
    )
    try:
        ran = compiled.lint(".", *TARGETS, "--format", "json")
        assert ran.code == 0
        assert {one["severity"] for one in ran.json["findings"]} == {"info"}
        (compiled.folder / "kernels" / "tilescope.toml").write_text("[lint]\nselect = 3\n")
        ran = compiled.lint(".", *TARGETS)
        assert (ran.code, ran.out) == (2, "")
        assert "lint.select: expected a rule code" in ran.err
    finally:
        (compiled.folder / "kernels" / "tilescope.toml").unlink()


def test_a_baseline_survives_moved_lines_and_shrinks(compiled: Project, tmp_path: Path) -> None:
    known = tmp_path / "known.json"
    kernel = compiled.folder / "kernels" / "add.py"
    named = ("--baseline", known, "--target", "cuda:sm_80")
    assert compiled.lint("kernels/add.py", *named).code == 2  # there is none yet
    written = compiled.lint("kernels/add.py", *named, "--update-baseline")
    assert (written.code, written.out) == (0, "")
    assert "1 in the baseline" in written.err
    before = json.loads(known.read_text())
    assert [(one["code"], one["kernel"]) for one in before["findings"]] == [("TS310", "add.main")]
    try:
        kernel.write_text("# a line more\n\n" + UNINITIALISED)
        assert compiled.lint("kernels/add.py", *named).code == 0
        kernel.write_text(UNINITIALISED.replace("+ s[i]", "- s[i]"))
        assert compiled.lint("kernels/add.py", *named).code == 1
        kernel.write_text(UNINITIALISED.replace(" + s[i]", ""))
        assert compiled.lint("kernels/add.py", *named).code == 0
        assert json.loads(known.read_text()) == before  # one target of several tells nothing of the others
        assert compiled.lint("kernels/add.py", "--baseline", known).code == 0
        assert json.loads(known.read_text())["findings"] == []
    finally:
        kernel.write_text(UNINITIALISED)


def test_a_kernel_that_kills_its_process_costs_itself_only(compiled: Project, tmp_path: Path) -> None:
    crashing = compiled.folder / "kernels" / "crash.py"
    crashing.write_text(CRASHING + UNINITIALISED.partition("language as T\n")[2])
    try:
        ran = compiled.lint(".", *TARGETS, "--format", "json")
    finally:
        crashing.unlink()
    found = [(one["file"], one["code"]) for one in ran.json["findings"]]
    assert ran.code == 1
    assert ("kernels/crash.py", "TS004") in found
    assert ("kernels/crash.py", "TS310") in found
    assert ("kernels/add.py", "TS310") in found


def test_suppressions_and_those_that_are_idle(compiled: Project) -> None:
    kernel = compiled.folder / "kernels" / "quiet.py"
    named = ("kernels/quiet.py", "--target", "cuda:sm_80", "--format", "json")
    try:
        kernel.write_text(UNINITIALISED)
        added = compiled.lint("kernels/quiet.py", "--target", "cuda:sm_80", "--add-ignore")
        assert (added.code, "suppressed 1 finding" in added.err) == (0, True)
        assert "+ s[i]  # tilescope: ignore[TS310]\n" in kernel.read_text()
        ran = compiled.lint(*named)
        assert (ran.code, ran.places, ran.json["suppressed"]) == (0, [], 1)
        kernel.write_text(kernel.read_text().replace(" + s[i] ", ""))
        ran = compiled.lint(*named)
        assert (ran.code, ran.places) == (1, [("TS008", 12)])
        static = run("lint", *named, "--static")  # what was not compiled tells nothing
        assert (static.code, static.places) == (0, [])
    finally:
        kernel.unlink()


def test_kernels_with_assumed_arguments_are_counted_on_the_last_line_and_marked_in_the_table(
    compiled: Project,
) -> None:
    kernel = compiled.folder / "kernels" / "guessed.py"
    kernel.write_text(GUESSED)
    named = ("kernels/guessed.py", "kernels/clean.py", *TARGETS)
    try:
        ran = compiled.lint(*named)
        assert "1 kernel compiled with assumed arguments" in ran.err.splitlines()[-1]
        cells = compiled.lint(*named, "--matrix", "--format", "json").json["cells"]
        assert {(one["kernel"], one["assumed"]) for one in cells} == {("guessed.main", True), ("scale.main", False)}
        kernel.write_text(GUESSED.replace("@tilelang.jit", "# tilescope: N=2048\n@tilelang.jit"))
        assert "assumed" not in compiled.lint(*named).err
    finally:
        kernel.unlink()
