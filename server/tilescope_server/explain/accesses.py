"""How memory instructions meet the memory: bank conflicts, sectors; and why an operation is not lowered better."""

from __future__ import annotations

from collections.abc import Iterator

from tilescope_trace.model import Buffer, Kernel, Operation, WarpAccess

REASONS = ("TS2", "TS4")
"""Rules about memory and about performance say what is in the way of something better."""


def of_buffer(kernel: Kernel, buffer: Buffer) -> Iterator[str]:
    """A line for each instruction on the buffer that costs more than it must, one for all the others."""
    known = [one for one in kernel.warp_accesses if one.buffer == buffer.name]
    costly = [one for one in known if _costly(one)]
    yield from dict.fromkeys(map(_costs, costly))
    free = [one for one in known if one.space == "shared" and one.ways == 1]
    if free and not any(one.space == "shared" for one in costly):
        names = ", ".join(dict.fromkeys(f"`{one.instruction}`" for one in free))
        yield f"no bank conflicts: {names}"
    yield from dict.fromkeys(f"{_where(one)}: {one.unsure}" for one in known if one.unsure is not None)


def of_operation(kernel: Kernel, operation: Operation) -> Iterator[str]:
    """Why nothing better came of an operation: findings at its line, and its costly instructions."""
    for finding in kernel.findings:
        if finding.line == operation.line and finding.code.startswith(REASONS):
            more = f" {finding.help}" if finding.help else ""
            yield f"not better: {finding.message}{more} ({finding.code})"
    here = (one for one in kernel.warp_accesses if one.line == operation.line and _costly(one))
    yield from dict.fromkeys(f"`{one.buffer}`, {_costs(one)}" for one in here)


def _costly(access: WarpAccess) -> bool:
    if access.space == "shared":
        return (access.ways or 1) > 1
    sectors, ideal = access.sectors, access.ideal_sectors
    return sectors is not None and ideal is not None and sectors > ideal and (access.sector_use or 0.0) < 1.0


def _costs(access: WarpAccess) -> str:
    if access.space == "global":
        use = f", {access.sector_use:.0%} of their bytes used" if access.sector_use is not None else ""
        return f"{_where(access)}: {access.sectors} sectors a warp, {access.ideal_sectors} would hold its bytes{use}"
    lanes = f" between lanes {', '.join(map(str, access.lanes[:8]))}" if access.lanes else ""
    free = f"; {access.padding} more elements in a row would free it" if access.padding else ""
    return f"{_where(access)}: {access.ways}-way bank conflicts{lanes}{free}"


def _where(access: WarpAccess) -> str:
    line = f" in line {access.line}" if access.line is not None else ""
    return f"{access.mode} by `{access.instruction}`{line}"
