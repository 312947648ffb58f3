"""What tile operations became: ``6 copies → TMA``."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from tilescope_trace.model import Origin
from tilescope_trace.structure import calls_in

from .nouns import FAMILIES, TILE_OPERATIONS, counted
from .state import State

_REGION = "T.region("
_ACCESSES = "loads and stores"


def phrases(before: State, after: State) -> Iterator[str]:
    """The tile operations that are gone, by what stands for their Python lines now."""
    old, new = _by_origin(before), _by_origin(after)
    # A statement whose Python line changed is not gone.
    lost = _all(before) - _all(after)
    found: Counter[tuple[str, str]] = Counter()
    for origin, lines in old.items():
        here = new.get(origin, [])
        gone = _tile_operations(lines) - _tile_operations(here)
        for name, number in gone.items():
            became = _became(lines, here)
            if became and (number := min(number, lost[name])):
                found[name, became] += number
                lost[name] -= number
    # Of those without a known Python line the whole text tells, where it is one thing only.
    rest = +lost
    grown = _families(before.structure.calls, after.structure.calls)
    clear = len(rest) == len(grown) == 1 and not found
    for name, number in rest.items():
        found[name, grown[0] if clear else ""] += number
    for (name, became), number in found.items():
        noun = TILE_OPERATIONS.get(name, (name, name))
        yield f"{counted(number, noun)} → {became}" if became else f"{counted(number, noun)} gone"


def _all(state: State) -> Counter[str]:
    return _tile_operations(line.strip() for line in state.lines)


def _by_origin(state: State) -> dict[Origin, list[str]]:
    lines: dict[Origin, list[str]] = defaultdict(list)
    for number, origins in state.origins.items():
        if number <= len(state.lines):
            for origin in origins:
                lines[origin].append(state.lines[number - 1].strip())
    return lines


def _tile_operations(lines: Iterable[str]) -> Counter[str]:
    """Statements that are an operation on regions, by its name."""
    return Counter(line[2:].partition("(")[0] for line in lines if line.startswith("T.") and _REGION in line)


def _became(lines: Iterable[str], here: list[str]) -> str:
    families = _families(_calls(lines), _calls(here))
    if families:
        return " and ".join(families)
    if any("] = " in line for line in here):
        return _ACCESSES
    return "loops" if any(line.startswith("for ") for line in here) else ""


def _families(old: Counter[str], new: Counter[str]) -> list[str]:
    """The instructions of which there are more now, the most telling first."""
    come = [name for name, number in new.items() if number > old[name]]
    return list(
        dict.fromkeys(family for beginning, family in FAMILIES if any(name.startswith(beginning) for name in come))
    )


def _calls(lines: Iterable[str]) -> Counter[str]:
    return Counter(name for line in lines for name in calls_in(line))
