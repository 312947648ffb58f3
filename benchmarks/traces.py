"""Writes profiles of any size in the documented formats, to measure and to try importers with.

    python benchmarks/traces.py KIND OUT.json [--megabytes 200]

KIND is `kineto` (torch.profiler on CUDA), `trace-view` (torch_npu.profiler), `msprof` (the application profiler of
Ascend) or `simulator` (`msprof op simulator`). The files repeat one training step, respectively one tile of a kernel;
times, ids and correlations go on. What is in them is returned and printed, so that a reader can be held against it.
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Event = dict[str, Any]

KERNELS_PER_STEP = 8
PYTHON, HARDWARE, CANN, HBM = 3096504, 3170820512, 3170820320, 3170820640
"""Processes of an Ascend trace."""
FRAMES = ";\r\n".join(
    f"/home/user/lib/python3.11/site-packages/torch/nn/modules/module.py({n}): _call" for n in range(9)
)


@dataclasses.dataclass(frozen=True)
class Written:
    """What a generated file holds. Times in ns; of a simulated kernel, its instructions count as kernels."""

    bytes: int
    events: int
    kernels: int
    kernel_ns: int
    flows: int


def kept(kind: str, folder: Path, megabytes: float) -> tuple[Path, Written]:
    """A file of that kind and size in ``folder``, and what it holds; written only where it is not there yet."""
    path, holds = (folder / f"{kind}-{megabytes:g}.{name}" for name in ("json", "holds"))
    if not holds.exists():
        folder.mkdir(parents=True, exist_ok=True)
        holds.write_text(json.dumps(dataclasses.asdict(write(kind, path, int(megabytes * 1e6)))), encoding="utf-8")
    return path, Written(**json.loads(holds.read_text(encoding="utf-8")))


def micros(ns: int) -> str:
    """Ascend's tools write µs as text with three decimals."""
    return f"{ns // 1000}.{ns % 1000:03d}"


def event(phase: str, name: str, pid: int | str, tid: int | str, ts: float | str, **more: object) -> Event:
    """An event of Chrome's trace format."""
    return {"ph": phase, "name": name, "pid": pid, "tid": tid, "ts": ts, **more}


def trace_view_step(step: int) -> Iterator[Event]:
    """One training step as `trace_view.json` has it: Python, task queue, CANN, hardware, flows and counters."""
    start = 1_736_408_883_000_000_000 + step * 1_000_000
    for index in range(KERNELS_PER_STEP):
        number = step * KERNELS_PER_STEP + index
        called, queued, launched, runs, read = (
            micros(start + index * 120_000 + later) for later in (0, 9_000, 21_000, 60_000, 80_000)
        )
        name = "main_kernel_mix_aic" if index % 2 else "aclnnMatmul_MatMulCommon_MatMulV2"
        shapes = {"Input Dims": "4096,4096;\r\n4096,4096", "Input type": "c10::Half;\r\nc10::Half"}
        args = {"Sequence number": number, "Fwd thread id": 0, **shapes, "Call stack": FRAMES}
        yield event("X", "aten::matmul", PYTHON, PYTHON, called, dur=42.13, cat="cpu_op", args=args)
        args = {"correlation_id": number}
        yield event("X", "Enqueue", PYTHON, PYTHON, queued, dur=11.3, cat="enqueue", args=args)
        args = {"Thread Id": 3099702, "Mode": "ACL_OP", "level": "acl", "id": "aclnnMatmul", "item_id": "0"}
        args["connection_id"] = number
        yield event("X", "AscendCL@aclnnMatmul", CANN, 3099702, launched, dur=31.84, args=args)
        arrow = {"cat": "HostToDevice", "id": str(number)}
        yield event("s", f"HostToDevice{number}", CANN, 3099702, launched, **arrow)
        args = {"Model Id": 4294967295, "Task Type": "AI_CORE", "Physic Stream Id": 2, "Task Id": number % 65536}
        args |= {"Batch Id": 0, "Subtask Id": 4294967295, "connection_id": number}
        yield event("X", name, HARDWARE, 2, runs, dur=53.741, args=args)
        yield event("f", f"HostToDevice{number}", HARDWARE, 2, runs, **arrow, bp="e")
        yield event("C", "HBM 0/Read", HBM, 0, read, args={"Read(MB/s)": float(index)})


def msprof_step(step: int) -> Iterator[Event]:
    """The same without Python: what `msprof --application` exports."""
    return (made for made in trace_view_step(step) if made["pid"] != PYTHON)


def kineto_step(step: int) -> Iterator[Event]:
    """One training step as Kineto has it: operators, launches, kernels and their flows."""
    start = 5_105_390_331_000.0 + step * 1000.0
    for index in range(KERNELS_PER_STEP):
        number = step * KERNELS_PER_STEP + index + 1
        called, launched, runs = (round(start + index * 120.0 + later, 3) for later in (0.0, 9.0, 40.0))
        args: Event = {"External id": number, "Record function id": 0, "Concrete Inputs": ["", ""]}
        args |= {"Input type": ["c10::Half", "c10::Half"], "Input Strides": [[4096, 1], [4096, 1]]}
        args |= {"Input Dims": [[4096, 4096], [4096, 4096]], "Ev Idx": number}
        yield event("X", "aten::matmul", 430, 430, called, cat="cpu_op", dur=59.83, args=args)
        args = {"cbid": 307, "correlation": number}
        yield event("X", "cuLaunchKernel", 430, 430, launched, cat="cuda_driver", dur=7.083, args=args)
        yield event("s", "ac2g", 430, 430, launched, cat="ac2g", id=number)
        args = {"queued": 0, "device": 0, "context": 1, "stream": 7, "correlation": number}
        args |= {"registers per thread": 168, "shared memory": 148480, "blocks per SM": 3.878788}
        args |= {"warps per SM": 46.545456, "grid": [16, 32, 1], "block": [384, 1, 1], "est. achieved occupancy %": 0}
        name = "gemm_relu_kernel" if index % 2 else "elementwise_kernel"
        yield event("X", name, 0, 7, runs, cat="kernel", dur=53.741, args=args)
        yield event("f", "ac2g", 0, 7, runs, cat="ac2g", id=number, bp="e")


PIPES = (
    ("MTE2", "MOV_OUT_TO_L1_MULTI_ND2NZ", 0.0, 0.2),
    ("MTE1", "LOAD_2D", 0.2, 0.05),
    ("CUBE", "MMAD", 0.25, 0.15),
    ("FIXP", "FIX_L0C_TO_DST", 0.4, 0.08),
    ("SCALAR", "MOV_XD_IMM", 0.01, 0.001),
)


def simulator_step(step: int) -> Iterator[Event]:
    """One tile on one of eight cube cores: load, wait, multiply, store, with flags. Times in µs, as everywhere."""
    core, at = f"core{step % 8}.cubecore0", 2.0 + (step // 8) * 0.5
    stack = "\n".join(f"/opt/ascend/include/tile/copy.h:{n}" for n in (120, 77, 41))
    for number, (pipe, name, begin, duration) in enumerate(PIPES):
        args = {"code": f"{stack}\n/tmp/kernel.cpp:{40 + number}", "detail": f"XD:X29={step * 64:#x},IMM:0x7fa0,"}
        args["pc_addr"] = hex(0x10D0D000 + 4 * number)
        yield event("X", name, core, pipe, round(at + begin, 6), cname="startup", dur=duration, args=args)
    flag = {"id": f"{core}_{step}", "cname": "black"}
    for address, pipe, name, begin, end in ((0, "MTE2", "SET_FLAG", 0.199, 0.2), (4, "MTE1", "WAIT_FLAG", 0.0, 0.2)):
        args = {"code": f"{stack}\n/tmp/kernel.cpp:50", "detail": "PIPE:MTE2,TRIGGERPIPE:MTE1,FLAGID:0,"}
        args["pc_addr"] = hex(0x10D0E000 + address)
        yield event("B", name, core, pipe, round(at + begin, 6), args=args, **flag)
        yield event("E", name, core, pipe, round(at + end, 6), args={}, **flag)
    for phase, pipe in (("s", "MTE2"), ("t", "MTE1")):
        yield event(phase, "flow", core, pipe, round(at + 0.2, 6), cat="MTE2ToMTE1", id=flag["id"])


def named(pid: int, name: str, streams: tuple[int, ...] = ()) -> Iterator[Event]:
    """Metadata that names a process and its streams."""
    yield {"ph": "M", "name": "process_name", "pid": pid, "tid": 0, "args": {"name": name}}
    for stream in streams:
        yield {"ph": "M", "name": "thread_name", "pid": pid, "tid": stream, "args": {"name": f"Stream {stream}"}}


def ascend_names() -> Iterator[Event]:
    yield from named(HARDWARE, "Ascend Hardware", (2,))
    yield from named(CANN, "CANN")
    yield from named(HBM, "HBM")


KINETO_HEAD = json.dumps(
    {
        "schemaVersion": 1,
        "deviceProperties": [{"id": 0, "name": "NVIDIA H200", "numSms": 132}],
        "displayTimeUnit": "ms",
        "baseTimeNanoseconds": 1790857026000000000,
    }
)
SIMULATOR_HEAD = json.dumps({"displayTimeUnit": "ns", "profilingType": "op", "schemaVersion": 2})


@dataclasses.dataclass(frozen=True)
class Kind:
    """How a format is written: what stands before the events, events that come once, a step, and what a kernel is."""

    before: str
    once: Callable[[], Iterator[Event]]
    step: Callable[[int], Iterator[Event]]
    is_kernel: Callable[[Event], bool]
    after: str


def ascend_kernel(made: Event) -> bool:
    return bool(made["ph"] == "X" and made["pid"] == HARDWARE)


KINDS = {
    "kineto": Kind(
        KINETO_HEAD[:-1] + ', "traceEvents": [\n',
        lambda: named(430, "python3"),
        kineto_step,
        lambda made: made.get("cat") == "kernel",
        "\n]}",
    ),
    "trace-view": Kind(
        "[", lambda: itertools.chain(named(PYTHON, "Python"), ascend_names()), trace_view_step, ascend_kernel, "]"
    ),
    "msprof": Kind("[", ascend_names, msprof_step, ascend_kernel, "]"),
    "simulator": Kind(
        SIMULATOR_HEAD[:-1] + ', "traceEvents": [',
        lambda: iter(()),
        simulator_step,
        lambda made: made["ph"] == "X",
        "]}",
    ),
}


def write(kind: str, path: Path, size: int) -> Written:
    """Writes at least ``size`` bytes of a profile of ``kind``, ending with a whole step."""
    how = KINDS[kind]
    written = events = kernels = kernel_ns = flows = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        written += file.write(how.before)
        separator = ""
        for group in itertools.chain([how.once()], map(how.step, itertools.count())):
            for made in group:
                written += file.write(separator + json.dumps(made))
                separator = ", "
                events += 1
                flows += made["ph"] == "s"
                if how.is_kernel(made):
                    kernels += 1
                    kernel_ns += round(made["dur"] * 1000)
            if written >= size:
                break
        written += file.write(how.after)
    return Written(written, events, kernels, kernel_ns, flows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("out", type=Path)
    parser.add_argument("--megabytes", type=float, default=200)
    given = parser.parse_args()
    print(write(given.kind, given.out, int(given.megabytes * 1e6)))


if __name__ == "__main__":
    main()
