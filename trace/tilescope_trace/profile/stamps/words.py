"""What a warp waits for at a stamp, and what stamps cost, in words."""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from .document import Timing

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


def cost(timing: Timing) -> str | None:
    """What stamps cost: ``+1.2%`` of the kernel's time, ``nothing that shows (-1.4%)`` where that is less
    than launches without them differ among themselves; None where it was not measured."""
    if timing.overhead is None:
        return None
    difference = timing.overhead * statistics.median(timing.plain_us)
    said = f"{timing.overhead:+.1%}"
    return f"nothing that shows ({said})" if difference < max(_spread(timing.plain_us), 0.0) else said


def _spread(times: Sequence[float]) -> float:
    """Between the quartiles, in which single slow launches do not count; of less than four from first to last."""
    if len(times) < 4:
        return max(times) - min(times)
    first, _, last = statistics.quantiles(times, n=4, method="inclusive")
    return last - first
