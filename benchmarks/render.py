"""The page of benchmarks as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from budgets import ROWS, Row
from figures import Figure, between, budget, measured, proportion, spread
from parts import PARTS, Outcome, Part

HEAD = """\
# Benchmarks

What tilescope's figures are, each with the alternative that was measured in the same run and the budget it is meant
to keep. `make bench` measures all of it and writes this page (`benchmarks/page.py`); nothing here is written by hand.
"""

HOW = """\
## How to read it

- **measured** is the median of the runs, or where it says so their 95th percentile (of keys or requests, the most of
  95 in a hundred). **spread** is the least and the most of all runs; nothing is left out.
- **ratio** is what was measured ÷ the alternative: 1.2 is a fifth more time (or memory), 0.5 half of it. Where both
  sides were measured in turn it is the median of the pairs' ratios, with their least and most in brackets, and need
  not be the ratio of the two medians to the last digit: a machine that slows down for a while hits both sides of a
  pair. Ratios carry over to other machines far better than milliseconds.
- **budget** is for the ratio where it ends in ×, for the difference where it ends in "more", else for the figure
  itself. Budgets, and the reasons why one does not hold, stand in one table, `benchmarks/budgets.py`; a row without
  a budget is there to compare with.
- Load is the mean number of runnable tasks in the minute before; after a part it holds the part's own work. *Fixed
  work* is the same loop of Python before and after: where it differs, the machine was busy or slowed down.
- Wall time is measured unless a part says CPU time. Processes are warm unless a part says that each run is a new one.

## How to run it

```
make bench                       # everything: twenty minutes on two cores that do nothing else
make bench BENCH="diff tui"      # these parts again; the others stay as they were measured, with their own dates
make bench BENCH=--quick         # a try of a few minutes, to build/benchmarks.md; its figures mean nothing
.venv/bin/python benchmarks/diff.py --runs 30    # one script alone; --help says what it takes
```

A part that fails or takes too long costs its own rows, which say why; the rest goes on.
"""

TABLE = ("| figure | measured | spread | runs | against | ratio | budget | |", "|---|---|---|---|---|---|---|---|")


UNKNOWN = "Not explained yet"
TITLES = {part.name: part.title for part in PARTS}


@dataclass(frozen=True)
class Kept:
    """Figures that are not measured again, and what they were measured on."""

    measured: str
    figures: tuple[Figure, ...]


@dataclass(frozen=True)
class Count:
    """Of the rows: budgets that hold and that do not, and figures that are missing."""

    hold: int
    broken: int
    missing: int


def page(
    machine: Mapping[str, str],
    versions: Mapping[str, str],
    outcomes: Mapping[str, Outcome],
    kept: Kept,
    *,
    quick: bool,
) -> str:
    """The page; ``outcomes`` by name of part."""
    count = counts(outcomes)
    blocks = [HEAD, f"**{summary(count).capitalize()}.**\n"]
    if quick:
        blocks.append("**This is a try: few runs of small inputs, which says nothing about budgets.**\n")
    if count.broken:
        blocks.append("\n".join(_broken(outcomes)) + "\n")
    facts = {**machine, **versions}
    blocks.append(
        "\n".join(
            ("## Machine and versions", "", "| | |", "|---|---|", *(f"| {a} | {b} |" for a, b in facts.items()))
        )
        + "\n"
    )
    blocks.append(HOW)
    blocks.append("## Figures\n")
    blocks += ["\n".join(_part(part, outcomes.get(part.name))) + "\n" for part in PARTS]
    blocks.append("\n".join(_kept(kept)) + "\n")
    return "\n".join(blocks)


def counts(outcomes: Mapping[str, Outcome]) -> Count:
    found = [figure.holds for figure in figures(outcomes).values()]
    rows = sum(row.part in {part.name for part in PARTS} for row in ROWS)
    return Count(found.count(True), found.count(False), rows - len(found))


def summary(count: Count) -> str:
    missing = f"; {count.missing} figures were not measured" if count.missing else ""
    if not count.hold + count.broken:
        return "nothing was measured yet"
    if not count.broken:
        return f"all {count.hold} budgets hold{missing}"
    return f"{count.hold} of {count.hold + count.broken} budgets hold{missing}"


def figures(outcomes: Mapping[str, Outcome]) -> dict[str, Figure]:
    return {figure.key: figure for outcome in outcomes.values() for figure in outcome.figures}


def _broken(outcomes: Mapping[str, Outcome]) -> Iterator[str]:
    yield "Those that do not:"
    yield ""
    for figure in figures(outcomes).values():
        if figure.holds is False:
            row = figure.row
            found = proportion(figure) if row.of != "figure" else measured(row, figure.values)
            yield f"- {TITLES[row.part]}, {row.what}: {found}, budget {budget(row)}. {row.reason or UNKNOWN}."


def _part(part: Part, outcome: Outcome | None) -> Iterator[str]:
    yield from (f"### {part.title}", "", part.about, "")
    rows = [row for row in ROWS if row.part == part.name]
    if outcome is None:
        yield from _table(rows, {}, "")
        return
    load, pace = outcome.load, outcome.pace_ms
    yield (
        f"*{outcome.started[:16].replace('T', ' ')} UTC, revision {outcome.revision}; {outcome.seconds:.0f} s; load "
        f"{load[0]:.2f} before, {load[1]:.2f} after; fixed work {pace[0]:.1f} ms before, {pace[1]:.1f} ms after.*"
    )
    yield ""
    yield from _table(rows, figures({part.name: outcome}), outcome.failure)


def _kept(kept: Kept) -> Iterator[str]:
    yield from ("### Clock stamps in kernels", "")
    yield "What `tilescope profile` adds to a launch: the same program with stamps and without, on a cold L2 cache."
    where = "*Kept results (`benchmarks/h200/overhead.json`), not measured again by `make bench`:"
    yield from ("", f"{where} {kept.measured}*", "")
    yield from _table([row for row in ROWS if row.part == "stamps"], {one.key: one for one in kept.figures}, "")


def _table(rows: Iterable[Row], found: Mapping[str, Figure], failure: str) -> Iterator[str]:
    yield from TABLE
    for row in rows:
        figure = found.get(row.key)
        cells = (row.what, *(_cells(figure) if figure else _missing(row, failure)))
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
    notes = [f"- {row.what}: {found[row.key].note}" for row in rows if row.key in found and found[row.key].note]
    if notes:
        yield from ("", *notes)


def _cells(figure: Figure) -> tuple[str, ...]:
    row = figure.row
    against = "—"
    if figure.against:
        apart = f" ({between(figure.against)})" if len(figure.against) > 1 else ""
        against = f"{row.against}: {measured(row, figure.against)}{apart}"
    said = {None: "—", True: "holds", False: "**does not hold**"}[figure.holds]
    runs = f"{len(figure.values)}"
    return (
        measured(row, figure.values),
        spread(row, figure.values),
        runs,
        against,
        proportion(figure),
        budget(row),
        said,
    )


def _missing(row: Row, failure: str) -> tuple[str, ...]:
    said = "**not measured**" + (f": {failure}" if failure else "")
    return "—", "—", "0", row.against or "—", "—", budget(row), said
