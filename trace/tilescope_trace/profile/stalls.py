"""One name for each reason that warps stall for, however a profiler shortens it."""

from __future__ import annotations

from collections.abc import Mapping

_PREFIXES = ("smsp__pcsamp_warps_issue_stalled_", "stalled_", "stall_")

_LONG = {
    "dispatch": "dispatch_stall",
    "imc": "imc_miss",
    "lg": "lg_throttle",
    "long_sb": "long_scoreboard",
    "math": "math_pipe_throttle",
    "mio": "mio_throttle",
    "no_inst": "no_instructions",
    "no_instruction": "no_instructions",
    "not_Selected": "not_selected",
    "short_sb": "short_scoreboard",
    "sleep": "sleeping",
    "tex": "tex_throttle",
    "gmma": "warpgroup_arrive",
}
"""Short names of Nsight Compute's source page and of proton, by what the metric names of Nsight Compute say."""


def stall_name(column: str) -> str:
    """``long_scoreboard`` for ``stall_long_sb``, ``stalled_long_scoreboard`` and
    ``smsp__pcsamp_warps_issue_stalled_long_scoreboard``."""
    name = next((column[len(prefix) :] for prefix in _PREFIXES if column.startswith(prefix)), column)
    return _LONG.get(name, name)


_SHORT = {long: short for short, long in reversed(_LONG.items())}


def short_stall(name: str) -> str:
    """``long_sb`` for ``long_scoreboard``, as Nsight Compute shortens it; the name itself where it has no other."""
    return _SHORT.get(name, name)


def is_stall(column: str) -> bool:
    """Whether a column counts samples of one stall reason, issued or not. Columns that count only those not issued
    are part of these."""
    not_issued = column.endswith((" (Not Issued)", "_not_issued"))
    return column.startswith(_PREFIXES) and not not_issued


def top_stall(stalls: Mapping[str, int]) -> str | None:
    """The reason with most samples; ``selected`` is none, since a selected warp issues."""
    waiting = {name: count for name, count in stalls.items() if name != "selected" and count}
    return max(waiting, key=lambda name: waiting[name]) if waiting else None


def is_wait(name: str) -> bool:
    """Whether a slice of this name is time in which its lane waits for another one."""
    text = name.casefold()
    return "wait" in text or text in ("barrier", "bar", "sync")
