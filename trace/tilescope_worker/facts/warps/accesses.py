"""Warp accesses of a kernel: what its memory instructions cost, from the offsets of their lanes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from tilescope_worker.facts.ir import line_in
from tilescope_worker.wire.facts import WarpAccess

from .banks import Conflict, amd_conflict, conflict
from .lanes import Lanes, Sample
from .moves import Request
from .padding import Rows, free_padding
from .requests import requests_of
from .scope import Scope
from .sectors import Sectors, sectors

MAX_REQUESTS = 256
"""Different memory instructions of a kernel that are looked at; the rest is not told."""
MAX_SAMPLES = 8


@dataclass(frozen=True)
class Machine:
    """How a GPU serves memory: ``lanes`` of a warp, whose shared memory (``banks``) it is modelled on."""

    lanes: int
    vendor: str


def machine_of(target: str) -> Machine | None:
    """The model for a target such as ``cuda:sm_90a``; None where there is none."""
    kind, _, architecture = target.partition(":")
    if kind == "cuda":
        return Machine(32, "nvidia")
    return Machine(64, "amd") if kind == "hip" and architecture.startswith("gfx9") else None


def warp_accesses(mod: Any, target: str, path: str, rows: dict[str, Rows]) -> tuple[WarpAccess, ...]:
    """The memory instructions of a module after vectorization, one for each place, buffer, direction and instruction:
    that of the worst warp and iteration tried. Lines are those of the file ``path``; ``rows`` has, by name, the
    buffers of shared memory that lie there row by row."""
    machine = machine_of(target)
    if machine is None:
        return ()
    found: dict[Any, WarpAccess] = {}
    for scope, requests in requests_of(mod):
        lanes = Lanes(scope, machine.lanes)
        for request in islice(dict.fromkeys(requests), MAX_REQUESTS):
            access = _access(request, scope, lanes, machine, path, rows)
            key = (access.buffer, access.space, access.mode, access.line, access.instruction, access.bytes_per_thread)
            other = found.get(key, access)
            worse = access if _excess(access) > _excess(other) else other
            found[key] = replace(worse, looped=access.looped or other.looped)
    return tuple(found.values())


def _excess(access: WarpAccess) -> float:
    """How many times dearer an access is than it could be; what is not known lies between free and dear."""
    if access.unsure is not None:
        return 1.5
    return access.sectors / max(access.ideal_sectors or 0, 1) if access.sectors else access.ways or 0


def _access(
    request: Request, scope: Scope, lanes: Lanes, machine: Machine, path: str, rows: dict[str, Rows]
) -> WarpAccess:
    plain = WarpAccess(
        buffer=request.buffer,
        space=request.space,
        mode=request.mode,
        line=line_in(path, request.where),
        instruction=request.instruction,
        bytes_per_thread=request.width,
        unsure=request.unsure,
        looped=request.looped,
    )
    if request.fixed:
        return replace(plain, ways=1)
    if request.unsure is not None or request.width is None:
        return plain
    if request.hidden is not None:
        return replace(plain, unsure=f"which lanes take part {request.hidden}")
    if scope.unbounded:
        return replace(plain, unsure="the number of threads is known at run time only")
    try:
        pieces = [
            _worst(request, offset, scope, lanes, machine, rows.get(request.buffer)) for offset in request.offsets
        ]
    except (ArithmeticError, ValueError, SyntaxError, RecursionError, MemoryError):
        return replace(plain, unsure="an index cannot be evaluated")  # a shift by less than nothing, say
    return max((replace(plain, **piece) for piece in pieces), key=_excess)


def _worst(
    request: Request, offset: str, scope: Scope, lanes: Lanes, machine: Machine, rows: Rows | None
) -> dict[str, Any]:
    """The figures of the dearest sample of one instruction, as fields of a WarpAccess."""
    samples = list(islice(lanes.samples(request, offset), MAX_SAMPLES))
    if not samples:
        return {"unsure": "no lane takes part in the warps and iterations tried"}
    repeats = {"repeats": lanes.repeats(request, offset)}
    if request.space == "global":
        return repeats | _global(request, offset, scope, lanes, machine, samples)
    return repeats | _shared(request, scope, machine, samples, rows)


def _shared(
    request: Request, scope: Scope, machine: Machine, samples: Sequence[Sample], rows: Rows | None
) -> dict[str, Any]:
    served = [(_conflict(request, machine, sample), sample) for sample in samples]
    known = [(one, sample) for one, sample in served if one is not None]
    if not known:
        return {"unsure": f"how instructions of {request.width} bytes are served is not documented"}
    if _by_size(scope, ((one.ways, sample) for one, sample in known)):
        return {"unsure": "depends on sizes known at run time only"}
    worst, sample = max(known, key=lambda pair: (pair[0].ways, pair[0].wavefronts))
    figures: dict[str, Any] = {
        "ways": worst.ways,
        "lanes": worst.lanes,
        "phases": worst.phases,
        "wavefronts": worst.wavefronts,
    }
    if len(worst.lanes) > 1:
        first, second = (sample.offsets[lane] or 0 for lane in worst.lanes[:2])
        figures["stride_bytes"] = abs(second - first)
        if rows is not None and machine.vendor == "nvidia":
            figures["padding"] = free_padding(rows, [one for _, one in known], request)
    return figures


def _conflict(request: Request, machine: Machine, sample: Sample) -> Conflict | None:
    assert request.width is not None
    offsets = sample.offsets if request.rows is None else sample.offsets[: request.rows]
    if machine.vendor == "amd":
        return amd_conflict([*offsets, *[None] * (machine.lanes - len(offsets))], request.width, request.kind)
    return conflict(offsets, request.width, request.kind, sample.source)


def _by_size(scope: Scope, figures: Iterable[tuple[object, Sample]]) -> bool:
    """Whether the first figure differs from one with other run-time sizes and everything else the same."""
    base: tuple[object, Sample] | None = None
    for figure, sample in figures:
        if base is None:
            base = (figure, sample)
            continue
        changed = {name for name, value in sample.values.items() if value != base[1].values[name]}
        if changed and changed <= scope.sizes and sample.warp == base[1].warp and figure != base[0]:
            return True
    return False


def _global(
    request: Request, offset: str, scope: Scope, lanes: Lanes, machine: Machine, samples: Sequence[Sample]
) -> dict[str, Any]:
    assert request.width is not None
    if machine.vendor != "nvidia":
        return {}
    counted = [(sectors(sample.offsets, request.width), sample) for sample in samples]
    if _by_size(scope, ((one.touched, sample) for one, sample in counted)):
        return {"unsure": "depends on sizes known at run time only"}
    worst, sample = max(counted, key=lambda pair: (pair[0].touched / max(pair[0].ideal, 1), pair[0].touched))
    figures: dict[str, Any] = {"sectors": worst.touched, "ideal_sectors": worst.ideal, "sector_use": worst.use}
    first, *others = (at for at in sample.offsets if at is not None)
    if others:
        figures["stride_bytes"] = abs(others[0] - first)
    if worst.touched > worst.ideal:
        figures["sector_use"] = _use(request, offset, lanes, sample, worst)
    return figures


def _use(request: Request, offset: str, lanes: Lanes, sample: Sample, worst: Sectors) -> float:
    """The share of the touched sectors' bytes that the warp asks for within the innermost loop."""
    assert request.width is not None
    touched: list[int | None] = []
    for offsets in lanes.iterations(request, offset, sample):
        touched += offsets
    return max(sectors(touched, request.width).use, worst.use)
