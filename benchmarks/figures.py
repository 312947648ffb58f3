"""What benchmarks have in common: a figure, its verdict, how it is printed for people and kept as a line of JSON.

Every script takes ``--runs`` and ``--json FILE``, prints a line for each figure and exits 1 where a budget is broken.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from budgets import BY_KEY, Row


@dataclass(frozen=True)
class Figure:
    """What was measured of a row of `budgets.py`, in its unit: a value for each run, and for the alternative."""

    key: str
    values: tuple[float, ...]
    against: tuple[float, ...] = ()
    note: str = ""

    @property
    def row(self) -> Row:
        return BY_KEY[self.key]

    @property
    def value(self) -> float:
        return statistic(self.row, self.values)

    @property
    def ratios(self) -> tuple[float, ...]:
        """To the alternative: pair by pair where sides were measured in turn, else one of the medians."""
        return tuple(ours / theirs for ours, theirs in self._pairs())

    @property
    def differences(self) -> tuple[float, ...]:
        return tuple(ours - theirs for ours, theirs in self._pairs())

    @property
    def judged(self) -> float | None:
        """What the budget is for; None where there is nothing to judge."""
        if self.row.of == "figure":
            return self.value
        found = self.ratios if self.row.of == "ratio" else self.differences
        return statistics.median(found) if found else None

    @property
    def holds(self) -> bool | None:
        """None without a budget."""
        if self.row.budget is None or self.judged is None:
            return None
        return self.judged >= self.row.budget if self.row.at_least else self.judged <= self.row.budget

    def _pairs(self) -> list[tuple[float, float]]:
        if not self.against:
            return []
        if self.row.in_turn and len(self.values) == len(self.against):
            return list(zip(self.values, self.against, strict=True))
        return [(self.value, statistic(self.row, self.against))]


def statistic(row: Row, values: Sequence[float]) -> float:
    return p95(values) if row.statistic == "p95" else statistics.median(values)


def p95(values: Sequence[float]) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * 0.95))]


def number(value: float) -> str:
    """Three digits that count, or all before the point."""
    size = abs(value)
    digits = 0 if size >= 100 or value == 0 else 1 if size >= 10 else 2 if size >= 0.1 else 3
    return f"{value:,.{digits}f}"


def between(values: Sequence[float]) -> str:
    return number(values[0]) if len(values) == 1 else f"{number(min(values))}–{number(max(values))}"


def measured(row: Row, values: Sequence[float]) -> str:
    """The middle and the unit; the 95th percentile is named."""
    named = "p95 " if row.statistic == "p95" else ""
    return f"{named}{number(statistic(row, values))} {row.unit}"


def spread(row: Row, values: Sequence[float]) -> str:
    """Where all values lie; of a 95th percentile the median is told as well."""
    middle = f"median {number(statistics.median(values))}, " if row.statistic == "p95" else ""
    return middle + between(values)


def budget(row: Row) -> str:
    if row.budget is None:
        return "—"
    sign = ("p95 " if row.statistic == "p95" else "") + ("≥" if row.at_least else "≤")
    unit = {"figure": f" {row.unit}", "ratio": " ×", "difference": f" {row.unit} more"}[row.of]
    return f"{sign} {row.budget:,g}{unit}"


def proportion(figure: Figure) -> str:
    """The ratio with its spread, and the difference where the row is about that."""
    if not figure.ratios:
        return "—"
    text = number(statistics.median(figure.ratios))
    text += f" ({between(figure.ratios)})" if len(figure.ratios) > 1 else ""
    return text + (
        f"; {number(statistics.median(figure.differences))} {figure.row.unit} more"
        if figure.row.of == "difference"
        else ""
    )


def verdict(figure: Figure) -> str:
    return {None: "—", True: "holds", False: "does not hold"}[figure.holds]


def line(figure: Figure) -> str:
    """A figure for people."""
    row = figure.row
    text = f"{figure.key:26} {measured(row, figure.values)} ({spread(row, figure.values)}; {len(figure.values)} runs)"
    if figure.against:
        text += (
            f"; {row.against} {measured(row, figure.against)} ({between(figure.against)}); ratio {proportion(figure)}"
        )
    if row.budget is not None:
        text += f"; budget {budget(row)}: {verdict(figure).replace('does not hold', 'DOES NOT HOLD')}"
    return text + (f"  [{figure.note}]" if figure.note else "")


def options(description: str | None, runs: int = 5) -> argparse.ArgumentParser:
    """The parser that each script starts with."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=_count, default=runs, help=f"of each figure (default {runs})")
    parser.add_argument("--json", type=Path, metavar="FILE", help="append each figure to FILE as a line of JSON")
    return parser


def _count(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of runs")
    return int(text)


def report(figures: Iterable[Figure], out: Path | None) -> int:
    """Print and keep figures as they come; 1 where a budget is broken."""
    broken = False
    for figure in figures:
        print(line(figure), flush=True)
        broken |= figure.holds is False
        if out is not None:
            with out.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(figure), ensure_ascii=False) + "\n")
    return int(broken)


def from_json(value: dict[str, Any]) -> Figure:
    """A figure as `report` keeps it."""
    return Figure(value["key"], tuple(value["values"]), tuple(value["against"]), value["note"])
