"""What became of loops: ``loop k unrolled ×4``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tilescope_trace.history.texts import base_name
from tilescope_trace.model import Origin
from tilescope_trace.structure import Loop, LoopKind

from .nouns import counted, signed
from .state import State

_KINDS: dict[LoopKind, tuple[str, str]] = {
    "serial": ("loop", "loops"),
    "parallel": ("parallel loop", "parallel loops"),
    "unrolled": ("unrolled loop", "unrolled loops"),
    "vectorized": ("vectorized loop", "vectorized loops"),
}
NAMED = 3
"""Most loops told by name; more are counted."""


def phrases(before: State, after: State) -> Iterator[str]:
    """Loops that were unrolled, loops of one kind that became another, and how many came or went of each kind."""
    old, new = _kinds(before), _kinds(after)
    unrolled = list(_unrolled(before, after))
    told = [f"loop {base_name(loop.name)} unrolled ×{loop.extent}" for loop in unrolled]
    yield from told if len(told) <= NAMED else [f"{len(told)} loops unrolled"]
    for loop in unrolled:
        old[loop.kind] -= 1
    vectorized = old["vectorized"] - new["vectorized"]
    if vectorized > 0 and after.structure.calls["Broadcast"] + _ramps(after) > _ramps(before):
        yield f"{counted(vectorized, _KINDS['vectorized'])} → vector accesses"
        old["vectorized"] = new["vectorized"]
    for kind, noun in _KINDS.items():
        if new[kind] != old[kind]:
            yield signed(new[kind] - old[kind], noun)


def _kinds(state: State) -> Counter[LoopKind]:
    return Counter(loop.kind for loop in state.structure.loops)


def _unrolled(before: State, after: State) -> Iterator[Loop]:
    """Loops that are gone and whose statements stand there as often as they ran."""
    left = Counter((base_name(loop.name), loop.extent) for loop in after.structure.loops)
    for loop in before.structure.loops:
        known = (base_name(loop.name), loop.extent)
        if left[known] > 0:
            left[known] -= 1
        elif _repeated(loop, before, after):
            yield loop


def _repeated(loop: Loop, before: State, after: State) -> bool:
    if loop.kind not in ("serial", "unrolled") or loop.extent is None or loop.extent < 2:
        return False
    own = _statements(before, range(loop.line + 1, loop.end))
    every = _statements(after, range(1, len(after.lines) + 1))
    rest = _statements(before, (*range(1, loop.line), *range(loop.end, len(before.lines) + 1)))
    return bool(own) and all(every[origin] >= number * loop.extent + rest[origin] for origin, number in own.items())


def _statements(state: State, numbers: range | tuple[int, ...]) -> Counter[Origin]:
    """How many statements, loops not counted, come from each Python line."""
    return Counter(
        origin
        for number in numbers
        for origin in state.origins.get(number, ())
        if number <= len(state.lines) and not state.lines[number - 1].lstrip().startswith(("for ", "with ", "if "))
    )


def _ramps(state: State) -> int:
    """Accesses to several elements at once (``A[i:i + 4]``)."""
    return sum(":" in line.partition("[")[2] and "] = " in line for line in state.lines)
