"""What the TileLang in this interpreter can do."""

from __future__ import annotations

from functools import cache

from .passes import has_phases
from .spans import has_spans
from .targets import target_kinds

_WHAT_IS_LOST = {
    "spans": "this TileLang keeps no source locations in its IR: facts and passes have no Python lines",
    "phases": "this TileLang does not tell the phase of a pass: passes are not grouped",
    "ascend": "this TileLang has no Ascend back end",
    "hip": "this TileLang has no HIP back end",
    "cuda": "this TileLang has no CUDA back end",
}


@cache
def capabilities() -> tuple[str, ...]:
    """Sorted names: the target kinds that lower here, and ``spans``, ``phases``."""
    found = set(target_kinds())
    if has_spans():
        found.add("spans")
    if has_phases():
        found.add("phases")
    return tuple(sorted(found))


def notes() -> tuple[str, ...]:
    """One sentence for each thing that is missing here and is lost by that."""
    return tuple(text for name, text in _WHAT_IS_LOST.items() if name not in capabilities())
