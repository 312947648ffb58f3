"""What a warp waits for at a stamp, in words."""

from __future__ import annotations

_CALLS = (
    ("warpgroup_wait", "wgmma"),
    ("cp_async_wait", "cp.async"),
    ("tma_store_wait", "TMA stores"),
    ("__syncthreads", "the block"),
)
_SIDES = {"producer": "a free stage", "consumer": "data"}


def waited_for(text: str, side: str) -> str | None:
    """``wgmma``, ``data``, ``a free stage`` ... for the generated source ``text`` of a wait and the side of the
    pipeline that the warp is on; None where that does not tell."""
    return next((words for call, words in _CALLS if call in text), _SIDES.get(side))
