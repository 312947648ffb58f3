"""What became of the module around: functions, launch, conditions, blocks, attributes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tilescope_trace.structure import Structure

from .nouns import INSTRUCTIONS, signed
from .state import State

ROLES = "kWarpSpecializationScope"
_TOLD_ELSEWHERE = frozenset({"layout_map", "barrier_init", "lexical_alloc_scope", "storage_alignment", ROLES})
_GRID, _BLOCK = "blockIdx.", "threadIdx."
NAMED = 3
"""Most attributes told by name; more are counted."""


def taken_away(before: State, after: State) -> tuple[str, ...]:
    """The functions that are gone where none came: all else that is gone went with them."""
    old, new = before.structure.functions, after.structure.functions
    gone = [name for name in old if name not in new]
    return tuple(f"- function {name}" for name in gone) if set(new) <= set(old) else ()


def launch_phrases(before: State, after: State) -> Iterator[str]:
    """Functions, launch geometry, and roles of warps."""
    old, new = before.structure, after.structure
    come = [name for name in new.functions if name not in old.functions]
    if come:
        yield f"+ function {', '.join(come)}"
    for what, dimension in (("grid", _GRID), ("threads", _BLOCK)):
        was, now = _extents(old, dimension), _extents(new, dimension)
        if was and now and was != now:
            yield f"{what} {was} → {now}"
        elif not was and now and not old.calls["launch_thread"]:
            yield f"{what} {now}"
    if ROLES in new.attributes and ROLES not in old.attributes:
        yield "split into producer and consumer warps"


def instruction_phrases(before: State, after: State) -> Iterator[str]:
    """Barriers, fences and the like that came or went."""
    old, new = before.structure.calls, after.structure.calls
    changes: Counter[tuple[str, str]] = Counter()
    for name, noun in INSTRUCTIONS.items():
        changes[noun] += new[name] - old[name]
    yield from (signed(number, noun) for noun, number in changes.items() if number)


def other_phrases(before: State, after: State) -> Iterator[str]:
    """What is left: conditions, blocks, checks of the host, attributes."""
    old, new = before.structure, after.structure
    for number, noun in (
        (new.conditions - old.conditions, ("condition", "conditions")),
        (new.blocks - old.blocks, ("block", "blocks")),
        (new.assertions - old.assertions, ("check of arguments", "checks of arguments")),
    ):
        if number:
            yield signed(number, noun)
    if len(new.functions) >= len(old.functions):
        yield from _attributes("+", new.attributes - old.attributes)
    if len(new.functions) == len(old.functions):
        yield from _attributes("-", old.attributes - new.attributes)


def _attributes(sign: str, names: frozenset[str]) -> Iterator[str]:
    told = sorted(names - _TOLD_ELSEWHERE)
    if len(told) > NAMED:
        yield f"{sign}{len(told)} attributes"
    elif told:
        yield f"{sign} attribute{'' if len(told) == 1 else 's'} {', '.join(told)}"


def _extents(structure: Structure, dimension: str) -> str:
    """Extents of a launch, those of 1 at the end left out: ``8×8``."""
    extents = [structure.threads.get(dimension + axis) for axis in "xyz"]
    while extents and extents[-1] in (None, 1):
        extents.pop()
    if not extents:
        return "1" if dimension + "x" in structure.threads else ""
    return "×".join(str(1 if extent is None else extent) for extent in extents)
