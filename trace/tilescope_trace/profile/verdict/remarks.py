"""What the lowering says about where the time goes: findings, the instructions of hot lines, waves."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from tilescope_trace.model import Kernel
from tilescope_trace.occupancy import is_bound
from tilescope_trace.profile.attribute import Attribution
from tilescope_trace.profile.stamps.document import StampedKernel
from tilescope_trace.profile.stamps.shares import shares
from tilescope_trace.profile.stamps.words import waited_for
from tilescope_worker.wire.facts import Operation

HOT = 0.05
"""Share of samples from which on a line's lowering is worth a remark."""


@dataclass(frozen=True)
class Remark:
    """A sentence about a Python line, or about the launch where ``line`` is None."""

    text: str
    line: int | None = None


def remarks(
    kernel: Kernel, found: Attribution | None, stamps: StampedKernel | None, multiprocessors: int | None
) -> Iterator[Remark]:
    """Findings of memory and performance first, then hot lines by share, then the grid. Without samples lines are
    those where consumers spend their time, by stamps."""
    for finding in kernel.findings:
        if finding.code.startswith(("TS2", "TS4")):
            yield Remark(f"{finding.code}: {finding.message}", finding.line)
    if found is not None:
        yield from _hot_lines(kernel, found)
    elif stamps is not None:
        yield from _stamped(kernel, stamps)
    yield from _waves(kernel, multiprocessors)


def _hot_lines(kernel: Kernel, found: Attribution) -> Iterator[Remark]:
    by_line = {operation.line: operation for operation in kernel.operations}
    for origin, weight in sorted(found.python.items(), key=lambda item: -item[1].samples):
        share = found.share(weight)
        if share < HOT:
            return
        stall = f", mostly {weight.top_stall}" if weight.top_stall else ""
        words = _lowered(by_line.get(origin.line))
        yield Remark(f"{words}{share:.0%} of samples{stall}{_conflicts(kernel, origin.line)}", origin.line)


def _stamped(kernel: Kernel, stamps: StampedKernel) -> Iterator[Remark]:
    sides = shares(stamps)
    side = "consumer" if "consumer" in sides else ""
    by_line = {operation.line: operation for operation in kernel.operations}
    for one in sides.get(side, ()):
        if one.share < HOT or not one.origins:
            continue
        line = one.origins[0].line
        awaited = waited_for(one.text, side) if one.kind == "wait" else None
        waiting = f" waiting for {awaited}" if awaited else " waiting" if one.kind == "wait" else ""
        who = f"{side} warps spend" if side else "warps spend"
        yield Remark(f"{_lowered(by_line.get(line))}{who} {one.share:.0%} of their time here{waiting}", line)


def _lowered(operation: Operation | None) -> str:
    if operation is None:
        return ""
    if operation.kind == "pipeline":
        return "waits for stages and the loop itself: "
    if operation.lowered_to in ((), ("register",)):
        return f"{operation.kind}: "
    names = " and ".join(operation.lowered_to)
    width = operation.detail.get("vector_bytes")
    return f"{operation.kind} became {names}" + (f" of {width} bytes a thread" if width else "") + ": "


def _conflicts(kernel: Kernel, line: int) -> str:
    ways = [access.ways for access in kernel.warp_accesses if access.line == line and (access.ways or 1) > 1]
    return f"; bank conflicts, {max(way for way in ways if way)} ways" if ways else ""


def _waves(kernel: Kernel, multiprocessors: int | None) -> Iterator[Remark]:
    launch = kernel.launch
    if launch is None or not multiprocessors or not launch.blocks_per_sm:
        return
    extents = [extent for extent in launch.grid or () if isinstance(extent, int)]
    if not launch.grid or len(extents) != len(launch.grid):
        return
    blocks, places = math.prod(extents), multiprocessors * launch.blocks_per_sm
    waves, rest = blocks / places, blocks % places
    if blocks < multiprocessors:
        yield Remark(f"{blocks} blocks leave {1 - blocks / multiprocessors:.0%} of the SMs without any")
    elif is_bound(launch) and launch.blocks_per_sm > 1:
        return  # fewer may fit, which makes other waves
    elif waves < 1:
        yield Remark(f"{blocks} blocks take {waves:.0%} of the {places} places that the SMs have for them")
    elif waves / math.ceil(waves) < 0.95:
        idle = 1 - rest / multiprocessors
        what = (
            f"leaves {idle:.0%} of the SMs idle"
            if idle > 0
            else f"takes {rest / places:.0%} of the places for blocks"
        )
        yield Remark(f"{waves:.2f} waves: the last one {what}")
