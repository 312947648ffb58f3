"""Buffers as names of the text: where each is allocated and used, across macros."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tilescope_trace.model import Buffer

from .bindings import Bindings, Occurrence, Variable
from .sites import Site


@dataclass(frozen=True)
class BufferUse:
    """A name that means buffers: ``variable`` in its own function, and the ``sites`` of the buffers that it is or,
    in a macro, that callers pass."""

    occurrence: Occurrence
    variable: Variable
    sites: tuple[Site, ...]


def buffer_at(sites: Sequence[Site], bindings: Bindings, line: int, column: int) -> BufferUse | None:
    """The buffer that the name at a place (1-based) means, None where it means none."""
    found = bindings.at(line, column)
    if found is None:
        return None
    occurrence, variable = found
    means = _sites(variable, _by_place(sites), bindings)
    return BufferUse(occurrence, variable, means) if means else None


def all_uses(sites: Sequence[Site], bindings: Bindings) -> Iterator[BufferUse]:
    """Every name of the text that means buffers, by place."""
    places = _by_place(sites)
    for variable in bindings.variables:
        means = _sites(variable, places, bindings)
        if means:
            yield from (BufferUse(place, variable, means) for place in variable.places)


def definitions(use: BufferUse, bindings: Bindings) -> tuple[Occurrence, ...]:
    """Where the buffers are allocated: those of the callers for a macro's parameter."""
    given = bindings.passed_to(use.variable)
    if given:
        found = [place for variable in given if (place := variable.bound_before(_end(variable))) is not None]
    else:
        own = use.variable.bound_before(use.occurrence.line)
        found = [own] if own is not None else []
    return tuple(dict.fromkeys(found))


def memory_of(use: BufferUse) -> str | None:
    """The kind of memory that the buffers lie in: ``global``, ``shared``, ``fragment``, ``local`` or ``tensor``; None
    where they differ in it, or lie in another."""
    entries = [variant.entry for site in use.sites for variant in site.variants]
    kinds = {_kind(entry.scope) for entry in entries if isinstance(entry, Buffer)}
    return kinds.pop() if len(kinds) == 1 else None


def _kind(scope: str) -> str | None:
    first, _, rest = scope.partition(".")
    if first == "local":
        return {"": "local", "fragment": "fragment"}.get(rest, "local")
    if first == "shared":
        return "tensor" if rest == "tmem" else "shared"
    return first if first == "global" else None


def _by_place(sites: Sequence[Site]) -> dict[tuple[str, int], Site]:
    return {(site.name, site.line): site for site in sites if site.kind == "buffer"}


def _sites(variable: Variable, places: dict[tuple[str, int], Site], bindings: Bindings) -> tuple[Site, ...]:
    found: dict[int, Site] = {}
    for one in (variable, *bindings.passed_to(variable)):
        for place in one.bound:
            if (site := places.get((one.name, place.line))) is not None:
                found[id(site)] = site
    return tuple(found.values())


def _end(variable: Variable) -> int:
    return max((place.line for place in variable.places), default=0)
