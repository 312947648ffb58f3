"""What stamps cost, launch by launch in turn with the plain kernel: ``python overhead.py REC KERNEL [BLOCKS...]``.

REC is a recording of the kernel of that program of profiled_programs.py. Both variants live in one process and are
launched alternately on a cold L2 cache, so that clocks and temperature are the same for both.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import profiled_programs as programs
import tilelang
import torch
import tvm_ffi

from tilescope_trace.profile.stamps.plan import BLOCKS, Plan, make_plan
from tilescope_trace.store.read import open_recording
from tilescope_worker.stamps.hook import CALLBACK, Hook

ROUNDS = 200


def main(arguments: list[str]) -> int:
    """Print a line for each number of sampled blocks."""
    recording, kernel, *counts = arguments
    tilelang.disable_cache()
    make = getattr(programs, kernel)
    plain, result, _ = make()
    plain()
    wanted = result.clone()
    for blocks in [int(count) for count in counts] or [BLOCKS]:
        with open_recording(Path(recording)) as opened:
            plan = make_plan([opened], (), blocks)
        hook, stamped, output = with_stamps(make, plan)
        stamped()
        equal = bool(torch.equal(output, wanted)) and bool(hook.buffers)
        times = alternately([plain, stamped])
        a, b = (statistics.median(one) for one in times)
        print(f"{kernel} {blocks} blocks: {a:.2f} us plain, {b:.2f} us stamped, {b / a - 1:+.2%}, equal {equal}")
    return 0


def with_stamps(make: Callable[[], programs.Made], plan: Plan) -> tuple[Hook, Callable[[], Any], torch.Tensor]:
    """The kernel compiled with stamps: its hook, launch and result."""
    folder = Path(tempfile.mkdtemp())
    (folder / "plan.json").write_text(json.dumps(plan.for_hook()))
    hook = Hook(os.fspath(folder))
    hook.rewrite_sources()
    for kernel in (programs.profiled_kernels.matmul, programs.profiled_kernels.attention):
        kernel._kernel_cache.clear()
        kernel._call_form_cache = type(kernel._call_form_cache)()
    stamped, output, _ = make()
    stamped()
    tvm_ffi.remove_global_func(CALLBACK)
    return hook, stamped, output


def alternately(launches: list[Callable[[], Any]]) -> list[list[float]]:
    """Microseconds of each launch of each."""
    flush = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
    marks: list[list[tuple[Any, Any]]] = [[] for _ in launches]
    for _ in range(ROUNDS):
        for launch, own in zip(launches, marks, strict=True):
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            flush.zero_()
            start.record()
            launch()
            end.record()
            own.append((start, end))
    torch.cuda.synchronize()
    return [[start.elapsed_time(end) * 1000 for start, end in own[20:]] for own in marks]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
