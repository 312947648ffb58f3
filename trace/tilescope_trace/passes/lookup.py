"""Finds a pass in the table."""

from __future__ import annotations

import difflib

from tilescope_trace.errors import UsageError

from . import ascend, checks, cuda, device, loops, memory, tiles, written
from .model import PassInfo

GROUPS: dict[str, tuple[PassInfo, ...]] = {
    "The kernel as written": written.PASSES,
    "Checks": checks.PASSES,
    "Tiles, pipelines and layouts": tiles.PASSES,
    "NVIDIA": cuda.PASSES,
    "Ascend": ascend.PASSES,
    "Buffers, addresses and barriers": memory.PASSES,
    "Loops and conditions": loops.PASSES,
    "Host and device": device.PASSES,
}
"""All passes of TileLang 0.1.15 that a lowering can run, under a heading each group."""

PASSES: dict[str, PassInfo] = {info.name: info for group in GROUPS.values() for info in group}


def explained(name: str) -> PassInfo | None:
    """The pass with the recorded ``name``; None for one that TileLang 0.1.15 does not have. Names of one pass in
    other versions differ in the part before the dot at most."""
    if name in PASSES:
        return PASSES[name]
    same = [info for info in PASSES.values() if _short(info.name) == _short(name)]
    return same[0] if len(same) == 1 else None


def find(text: str) -> PassInfo:
    """The pass that a person means: a name or label (``tl.Simplify#2``), in any case, with or without the part before
    the dot. Raises UsageError, which names similar ones."""
    wanted = text.strip().partition("#")[0]
    names = {name.casefold(): name for name in PASSES}
    if wanted.casefold() in names:
        return PASSES[names[wanted.casefold()]]
    same = [info for info in PASSES.values() if _short(info.name) == _short(wanted)]
    if len(same) == 1:
        return same[0]
    if same:
        raise UsageError(f"pass {text!r} is ambiguous: {', '.join(info.name for info in same)}. Give one of these.")
    short = {_short(name): name for name in PASSES}
    close = difflib.get_close_matches(_short(wanted), short, n=3, cutoff=0.6)
    hint = f"Did you mean {' or '.join(short[name] for name in close)}?" if close else "docs/passes.md lists them."
    raise UsageError(f"there is no pass {text!r} in TileLang 0.1.15. {hint}")


def _short(name: str) -> str:
    return (name.partition(".")[2] or name).casefold()
