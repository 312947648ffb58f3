"""What the TileLang in this interpreter can do."""

from __future__ import annotations

from functools import cache

from .passes import has_phases
from .spans import has_spans, keeps_spans_in_tile_ops
from .targets import target_kinds

_WHAT_IS_LOST = {
    "spans": "this TileLang keeps no source locations in its IR: facts and passes have no Python lines",
    "instruction-spans": "this TileLang loses lines as it lowers tile operations: their instructions are not told",
    "phases": "this TileLang does not tell the phase of a pass: passes are not grouped",
}


@cache
def capabilities() -> tuple[str, ...]:
    """Sorted names: the target kinds that lower here, ``spans``, ``instruction-spans`` and ``phases``."""
    found = set(target_kinds())
    if has_spans():
        found.add("spans")
    if keeps_spans_in_tile_ops():
        found.add("instruction-spans")
    if has_phases():
        found.add("phases")
    return tuple(sorted(found))


def notes() -> tuple[str, ...]:
    """One sentence for each thing that every kernel lacks here; a missing back end is told where it is asked for."""
    return tuple(text for name, text in _WHAT_IS_LOST.items() if name not in capabilities())
