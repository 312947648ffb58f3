"""Variants of a kernel side by side: only what differs."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from tilescope_passdiff.wording.operations import value_text
from tilescope_trace.differences import Comparison, Difference, Variant
from tilescope_trace.model import Json

from .paths import shown
from .tables import table

_HIDDEN = frozenset({"formula"})
"""Too long for a table; a change of the formula alone is told in words."""


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
        cells = (Text(_value(value), "" if value is not None else "dim") for value in difference.values)
        made.add_row(Text(subject, "cyan"), line, difference.fact.replace("_", " "), *cells)
        before = about
    yield Padding(made, (0, 0, 0, 2))


def _told(differences: tuple[Difference, ...]) -> Iterator[Difference]:
    layouts = {(one.subject, one.line) for one in differences if one.fact == "layout"}
    for one in differences:
        if one.fact not in _HIDDEN:
            yield one
        elif (one.subject, one.line) not in layouts:
            distinct = list(dict.fromkeys(map(str, one.values)))
            numbered = (None if v is None else f"formula {distinct.index(str(v)) + 1}" for v in one.values)
            yield Difference(one.subject, one.line, "layout", tuple(numbered))


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
