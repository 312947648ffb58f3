"""Variants of a kernel side by side: only what differs."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from tilescope_passdiff.wording.differences import told_values
from tilescope_passdiff.wording.operations import value_text
from tilescope_trace.differences import Comparison, Difference, Variant
from tilescope_trace.model import Json

from .paths import shown
from .tables import table

_HIDDEN = frozenset({"formula"})
"""Too long for a table; a change of the formula alone is told in words."""
_FORMULAS = ("one formula", "another formula", "formula {}")


def comparison_blocks(comparison: Comparison) -> Iterator[RenderableType]:
    """A heading, then a table with a column for each variant."""
    yield Text.assemble((comparison.qualname, "bold cyan"), (f"  {shown(comparison.file)}", "dim"))
    if not comparison.differences:
        yield Text(f"  the same for {', '.join(map(_name, comparison.variants))}", "green")
        return
    names = [_name(variant) for variant in comparison.variants]
    made = table("of", "line", "fact", *names, numbers=["line"], wrapped=names)
    before: tuple[str, int | None] | None = None
    for difference in _told(comparison.differences):
        about = (difference.subject, difference.line)
        subject = "" if about == before else difference.subject
        line = "" if difference.line is None or not subject else str(difference.line)
        cells = (Text(_value(value), "" if value is not None else "dim") for value in told_values(difference))
        made.add_row(Text(subject, "cyan"), line, difference.fact.replace("_", " "), *cells)
        before = about
    yield Padding(made, (0, 0, 0, 2))
    yield from _legend(comparison)


def _numbers(one: Difference) -> list[tuple[Json, int]]:
    """Each value with the number of its formula, equal ones sharing it."""
    distinct = list(dict.fromkeys(str(value) for value in one.values if value is not None))
    return [(value, distinct.index(str(value)) if value is not None else 0) for value in one.values]


def _legend(comparison: Comparison) -> Iterator[RenderableType]:
    """What *another formula* means, and how the layouts of the first buffer that has one are drawn."""
    layouts = _only_formulas(comparison.differences)
    if (one := next(iter(layouts), None)) is None:
        return
    yield Text("  another formula: as many registers and threads, but elements lie in other ones", "dim")
    yield Text("  (in memory: at other addresses); to see where:", "dim")
    seen = set()
    for variant, (value, number) in zip(comparison.variants, _numbers(one), strict=True):
        if value is not None and number not in seen:
            seen.add(number)
            sets = (part for name, arg in variant.args.items() for part in ("--set", f"{name}={value_text(arg)}"))
            buffer = one.subject.partition(" ")[0]
            words = ("layout", shown(comparison.file), "--buffer", buffer, "--target", variant.target, *sets)
            yield Text(f"    tilescope {shlex.join(words)}", "dim")


def _told(differences: tuple[Difference, ...]) -> Iterator[Difference]:
    alone = _only_formulas(differences)
    for one in differences:
        if one.fact not in _HIDDEN:
            yield one
        elif one in alone:
            numbers = _numbers(one)
            told = (None if v is None else _FORMULAS[min(number, 2)].format(number + 1) for v, number in numbers)
            yield Difference(one.subject, one.line, "layout", tuple(told))


def _only_formulas(differences: tuple[Difference, ...]) -> list[Difference]:
    """The formulas that differ between layouts of one summary."""
    layouts = {(one.subject, one.line) for one in differences if one.fact == "layout"}
    return [one for one in differences if one.fact in _HIDDEN and (one.subject, one.line) not in layouts]


def _name(variant: Variant) -> str:
    args = ", ".join(f"{name}={value_text(value)}" for name, value in variant.args.items())
    return f"{variant.target} {args}".strip()


def _value(value: Json) -> str:
    if value is None:
        return "–"
    if isinstance(value, list):
        return ", ".join(map(value_text, value)) or "none"
    if isinstance(value, float):
        return f"{value:.3g}"
    return value_text(value)
