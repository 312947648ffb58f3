"""Inlay hints as domain objects: where and what, without the protocol."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tilescope_trace.model import Buffer, Kernel, Launch, Operation
from tilescope_trace.text_lines import lines_of

from . import labels
from .analysis import Analysis, View
from .fitting import Label
from .heat import NO_HEAT, LineHeat
from .parameters import Parameter, Places, parameters
from .settings import Hints
from .sites import Entry, Site, Variant, sites_of

_KEPT = 2048
"""Labels that are kept: entries of a file of many kernels stay what they are while one kernel is edited."""


@dataclass(frozen=True)
class Hint:
    """A label at a place, 1-based line and column in code points. ``is_type`` hints follow a name directly."""

    line: int
    column: int
    label: Label
    is_type: bool
    site: Site

    @property
    def variant(self) -> Variant:
        """The variant whose facts the label shows."""
        return self.site.variants[0]


HeatOf = Callable[[Kernel], LineHeat]
"""Where a kernel spends its time."""


def _no_heat(_: Kernel) -> LineHeat:
    return NO_HEAT


def hints_of(
    sites: Sequence[Site], lines: Sequence[str], shown: Hints = labels.ALL, heat: HeatOf = _no_heat
) -> tuple[Hint, ...]:
    """The hints of a document, by place; ``lines`` is its text, ``shown`` says which kinds and how long, ``heat``
    where a kernel spends its time."""
    if not shown.enabled:
        return ()
    places = parameters("\n".join(lines)) if shown.parameter else Places()
    hints: dict[tuple[int, int, str], Hint] = {}
    for site in sites:
        if 1 <= site.line <= len(lines):
            for hint in _hints(site, lines[site.line - 1], shown, places, heat):
                hints.setdefault((hint.line, hint.column, hint.label.text), hint)
    return tuple(sorted(hints.values(), key=lambda hint: (hint.line, hint.column)))


@dataclass(frozen=True)
class Reach:
    """The lines, first to last, on which a view may have hints."""

    view: View
    first: int
    last: int


def reaches_of(analysis: Analysis) -> tuple[Reach, ...]:
    """The reach of each view: hints of a few lines are made of the kernels that reach there, and cost no more."""
    places = parameters(analysis.snapshot.text)
    found = []
    for view in analysis.views():
        spans = [_span(_Itself(kernel), places) for kernel in (view.fresh, view.stale) if kernel is not None]
        found.append(Reach(view, min(first for first, _ in spans), max(last for _, last in spans)))
    return tuple(found)


def _span(itself: _Itself, places: Places) -> tuple[int, int]:
    """From the first line to the last that a kernel says something of, the parameters of the functions around it
    among them."""
    names, first, last = _own_span(itself)
    lines = [line for name in names for line in places.lines(name)]
    return (min(first, *lines), max(last, *lines)) if lines else (first, last)


@lru_cache(maxsize=_KEPT)
def _own_span(itself: _Itself) -> tuple[tuple[str, ...], int, int]:
    """The names of a kernel and of the functions around it, and its own lines."""
    kernel = itself.entry
    assert isinstance(kernel, Kernel)
    path = kernel.qualname.split(".")
    launch = kernel.launch.line if kernel.launch is not None else None
    every = (kernel.line, launch, *(one.line for one in kernel.buffers), *(one.line for one in kernel.operations))
    lines = [line for line in every if line is not None]
    return tuple(".".join(path[: count + 1]) for count in range(len(path))), min(lines), max(lines)


def differ(before: Analysis, after: Analysis, shown: Hints = labels.ALL, heat: HeatOf = _no_heat) -> bool:
    """Whether the hints of two states of one text look or hold differently. Only kernels that changed are looked at:
    at each stage of a file with many, few do."""
    old, new = before.views(), after.views()
    if len(old) == len(new) and before.parses == after.parses:
        changed = [at for at in range(len(old)) if old[at] != new[at]]
        old, new = tuple(old[at] for at in changed), tuple(new[at] for at in changed)
    lines = lines_of(after.snapshot.text)

    def look(analysis: Analysis, views: tuple[View, ...]) -> tuple[object, ...]:
        return tuple(map(_look, hints_of(sites_of(analysis, views), lines, shown, heat)))

    return look(before, old) != look(after, new)


def _look(hint: Hint) -> tuple[object, ...]:
    return hint.line, hint.column, hint.label, hint.variant.kernel.stage, hint.variant.stale


def _hints(site: Site, line: str, shown: Hints, places: Places, heat: HeatOf) -> Iterator[Hint]:
    first = site.variants[0].entry
    if isinstance(first, Kernel):
        yield from _arguments(site, shown, places)
    elif isinstance(first, Buffer) and first.scope == "global":
        yield from _tensor(site, shown, places)
    else:
        label = _label(site, shown)
        if isinstance(first, Operation) and shown.profile:
            found = heat(site.variants[0].kernel)
            label = labels.with_heat(label, found.lines.get(site.line), shown, stale=found.stale)
        column = _after_name(site, line) if site.kind == "buffer" else _end_of_code(line)
        if label is not None and column is not None:
            yield Hint(site.line, column, label, site.kind == "buffer", site)


def _label(site: Site, shown: Hints) -> Label | None:
    said = [_said(variant, 0, shown) for variant in site.variants]
    others = _others([str(one) for one in said if one is not None], str(said[0]))
    return _said(site.variants[0], others, shown) if others else said[0]


def _others(said: Sequence[str], first: str) -> int:
    """How many different labels the other variants would have."""
    return len(set(said) - {first})


def _said(variant: Variant, others: int, shown: Hints) -> Label | None:
    marks = labels.marks_of(variant.kernel, stale=variant.stale)
    return _label_of(_Itself(variant.entry), marks, others, shown)


class _Itself:
    """An entry, compared and hashed by identity: comparing what it says takes as long as saying it."""

    __slots__ = ("entry",)

    def __init__(self, entry: Entry) -> None:
        self.entry = entry

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Itself) and self.entry is other.entry

    def __hash__(self) -> int:
        return id(self.entry)


@lru_cache(maxsize=_KEPT)
def _label_of(itself: _Itself, marks: tuple[labels.Mark, ...], others: int, shown: Hints) -> Label | None:
    entry = itself.entry
    if isinstance(entry, Buffer):
        make = labels.tensor_label if entry.scope == "global" else labels.buffer_label
        return make(entry, marks, others, shown)
    if isinstance(entry, Launch):
        return labels.launch_label(entry, marks, others, shown)
    return labels.operation_label(entry, marks, others, shown) if isinstance(entry, Operation) else None


def _arguments(site: Site, shown: Hints, places: Places) -> Iterator[Hint]:
    """Values of the kernel's arguments at the functions around it, where the text says another value or none."""
    variant = site.variants[0]
    path = variant.kernel.qualname.split(".")
    around = [one for count in range(1, len(path) + 1) for one in places.get(".".join(path[:count]))]
    for name, argument in variant.kernel.specialization.args.items():
        place = next((one for one in around if one.name == name), None)
        values = [
            repr(one.kernel.specialization.args[name].value)
            for one in site.variants
            if name in one.kernel.specialization.args
        ]
        others = _others(values, repr(argument.value))
        if place is None or (_is_written(place, argument.value) and not others):
            continue
        marks: list[labels.Mark] = [labels.STALE] if variant.stale else []
        if argument.origin == "assumed":
            marks.append(labels.ASSUMED)
        replaces = place.default is not None
        label = labels.argument_label(argument, replaces=replaces, marks=marks, others=others, hints=shown)
        yield Hint(place.line, place.end_column, label, False, site)


def _is_written(place: Parameter, value: object) -> bool:
    return place.default is not None and place.default.strip("'\"") == (
        value if isinstance(value, str) else repr(value)
    )


def _tensor(site: Site, shown: Hints, places: Places) -> Iterator[Hint]:
    """The shape of a tensor parameter, where its annotation does not show it."""
    variant = site.variants[0]
    own = places.get(variant.kernel.qualname)
    place = next((one for one in own if one.name == site.name), None)
    if place is None or not isinstance(variant.entry, Buffer):
        return
    numbers = set(re.findall(r"\b\d+\b", place.annotation or ""))
    if all(str(extent) in numbers for extent in variant.entry.shape):
        return
    marks = labels.marks_of(variant.kernel, stale=variant.stale)
    said = [str(_label_of(_Itself(one.entry), (), 0, shown)) for one in site.variants]
    label = _label_of(_Itself(variant.entry), marks, _others(said, said[0]), shown)
    if label is not None:
        yield Hint(place.line, place.end_column, label, False, site)


def _after_name(site: Site, line: str) -> int | None:
    """The column after the assigned name; None where the line does not hold it (an allocation in another file)."""
    if site.column is not None and line[site.column - 1 :].startswith(site.name):
        return site.column + len(site.name)
    found = re.search(rf"(?<![\w.]){re.escape(site.name)}(?!\w)", line)
    return None if found is None else found.end() + 1


def _end_of_code(line: str) -> int:
    return len(line.rstrip()) + 1
