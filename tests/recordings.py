"""Recordings of a made-up but lifelike GEMM, for the tests of several rooms."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tilescope_trace.model import Argument, Kernel, RecordingInfo, Specialization
from tilescope_trace.store.write import RecordingWriter
from tilescope_worker.wire.messages import BufferState, PassBegan, PassEnded, PassText

SOURCE = """\
import tilelang
import tilelang.language as T


@tilelang.jit
def matmul(M, N, K, block_M=128, block_N=128, block_K=32):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M), threads=128) as (bx, by):
            A_shared = T.alloc_shared((block_M, block_K), "float16")
            C_local = T.alloc_fragment((block_M, block_N), "float32")
            T.clear(C_local)
"""

REAL_GEMM = """\
import tilelang
import tilelang.language as T


@tilelang.jit
def matmul(M, N, K, block_M=128, block_N=128, block_K=32):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M), threads=128) as (bx, by):
            A_shared = T.alloc_shared((block_M, block_K), "float16")
            B_shared = T.alloc_shared((block_K, block_N), "float16")
            C_local = T.alloc_fragment((block_M, block_N), "float32")
            T.clear(C_local)
            for k in T.Pipelined(T.ceildiv(K, block_K), num_stages=3):
                T.copy(A[by * block_M, k * block_K], A_shared)
                T.copy(B[k * block_K, bx * block_N], B_shared)
                T.gemm(A_shared, B_shared, C_local)
            T.copy(C_local, C[by * block_M, bx * block_N])

    return main
"""
"""A kernel that the compiler takes."""

FRESH = """\
@I.ir_module
class Module:
    @T.prim_func
    def main(A_handle: T.handle, C_handle: T.handle):
        A = T.match_buffer(A_handle, (1024, 1024), "float16", strides=(1024, 1))
        C = T.match_buffer(C_handle, (1024, 1024), "float16", strides=(1024, 1))
        # with T.sblock("root"):
        bx = T.launch_thread("blockIdx.x", 8)
        by = T.launch_thread("blockIdx.y", 8)
        tx = T.launch_thread("threadIdx.x", 128)
        with T.sblock("tilelang_root"):
            T.reads(A[by * 128:by * 128 + 128, 0:993])
            T.writes(C[by * 128, bx * 128])
            A_shared = T.sblock_alloc_buffer((128, 32), "float16", scope="shared.dyn")
            C_local = T.sblock_alloc_buffer((128, 128), scope="local.fragment")
            T.fill(T.region(C_local[0, 0], 2, 128, 128), 0)
            for k in T.serial(32, annotations={"num_stages": 3}):
                T.copy(T.region(A[by * 128, k * 32], 1, 128, 32), T.region(A_shared[0, 0], 2, 128, 32))
                T.gemm(T.region(A_shared[0, 0], 1, 128, 32), T.region(C_local[0, 0], 3, 128, 128))
            T.copy(T.region(C_local[0, 0], 1, 128, 128), T.region(C[by * 128, bx * 128], 2, 128, 128))"""

BOUND = FRESH.replace("    @T.prim_func\n", '    @T.prim_func\n    # target {"arch": "sm_90a", "kind": "cuda"}\n')
STAGED = BOUND.replace("(128, 32), ", "(3, 128, 32), ").replace("A_shared[0, 0]", "A_shared[k % 3, 0, 0]")
LAYOUTS = STAGED.replace(
    "            T.fill", '            T.sblock_attr({"layout_map": {A_shared: "Sw<2,4,3>"}})\n            T.fill'
)
TILES = LAYOUTS.replace(
    "            T.fill(T.region(C_local[0, 0], 2, 128, 128), 0)\n",
    "            for i in T.unroll(64):\n                C_local[i * 2:i * 2 + 2] = T.Broadcast(T.float32(0), 2)\n",
).replace("T.copy(T.region(A", "T.tma_load(T.region(A")
SIMPLE = TILES.replace("T.unroll(64)", "T.unroll(32 + 32)").replace("k % 3", "k % 3 + 0")


@dataclass(frozen=True)
class Step:
    """One pass of a made-up lowering."""

    name: str
    before: str
    after: str | None
    depth: int = 0
    parent: int | None = None
    phase: str | None = "pipeline_cuda"
    error: str | None = None


GEMM: tuple[Step, ...] = (
    Step("pass_fn", FRESH, FRESH, phase=None),
    Step("tirx.BindTarget", FRESH, BOUND),
    Step("tl.Simplify", BOUND, BOUND),
    Step("tl.InjectSoftwarePipeline", BOUND, STAGED),
    Step("tl.LayoutInference", STAGED, LAYOUTS),
    Step("tl.LowerTileOp", LAYOUTS, TILES),
    Step("tl.Simplify", SIMPLE, TILES, depth=1, parent=5),
    Step("tirx.Simplify", TILES, TILES),
)
FAILING: tuple[Step, ...] = (
    *GEMM[:4],
    Step("tl.LayoutInference", STAGED, None, error="InternalError: layouts conflict\nFragment A\nFragment B"),
)

GENERATED = '#include <tl_templates/cuda/gemm.h>\nextern "C" __global__ void main_kernel() {\n}\n'

INFO = RecordingInfo(
    kernel=Kernel(
        name="main",
        qualname="matmul.main",
        line=8,
        form="lazy",
        target="cuda:sm_90a",
        target_origin="command-line",
        stage="lowered",
        status="ok",
        specialization=Specialization(
            id="0123456789ab", origin="call", args={"M": Argument(1024, "call", "gemm.py", 40)}
        ),
    ),
    status="ok",
    lower_ms=165.5,
    record_ms=230.25,
    created="2026-01-02T03:04:05Z",
    tilescope="0.1.0",
    tilelang="0.1.15",
    workspace="/home/user/project",
    environment={"python": "3.11"},
)


def text_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def text_event(text: str) -> PassText:
    """Copies and gemms come from the kernel file, the rest has no origin."""
    lines = tuple(
        (at, 0, at) for at, line in enumerate(text.split("\n"), start=1) if "T.copy" in line or "T.gemm" in line
    )
    unplaced = tuple(at for at, line in enumerate(text.split("\n"), start=1) if "for " in line or "T.fill" in line)
    return PassText(
        0, text_hash(text), text, ("/home/user/project/gemm.py",), lines, unplaced, tuple(buffer_states(text))
    )


ALLOCATED = {"A_shared": 10, "C_local": 11}
"""Lines of the allocations in SOURCE."""


def buffer_states(text: str) -> Iterator[BufferState]:
    """The allocations of a made-up text; each keeps its key through all passes."""
    lines = list(enumerate(text.split("\n"), start=1))
    for key, (name, python) in enumerate(ALLOCATED.items()):
        declared = next((at for at, line in lines if f"{name} = T." in line), None)
        if declared is None:
            continue
        shape = lines[declared - 1][1].partition("((")[2].partition(")")[0]
        yield BufferState(
            name=name,
            key=key,
            file=0,
            line=python,
            shape=tuple(int(size) for size in shape.split(",")),
            dtype="float16" if name == "A_shared" else "float32",
            scope="shared.dyn" if name == "A_shared" else "local.fragment",
            declared=(declared,),
            used=tuple(at for at, line in lines if f"{name}[" in line),
            layout=name == "A_shared" and "layout_map" in text,
        )


def write_steps(writer: RecordingWriter, steps: Sequence[Step]) -> None:
    for index, step in enumerate(steps):
        texts = [step.before] if step.after is None else [step.before, step.after]
        writer.add(PassBegan(0, index, step.name, step.phase, step.depth, step.parent))
        for text in texts:
            writer.add(text_event(text))
        writer.add(
            PassEnded(
                0,
                index,
                step.name,
                step.phase,
                "both",
                step.depth,
                step.parent,
                step.after is not None and step.after != step.before,
                text_hash(step.before),
                None if step.after is None else text_hash(step.after),
                1.5 * (index + 1),
                "failed" if step.error else "ok",
                step.error,
            )
        )


RECORD_REAL_GEMM = """
import sys
from pathlib import Path
from tilescope_trace.store.write import RecordingWriter
from tilescope_worker.wire.messages import (
    ArgumentText, Failure, Generated, Job, KernelRequest, PassBegan, PassEnded, PassText
)
from tilescope_worker.work import run_job

arguments = {name: ArgumentText("1024", "call") for name in "MNK"}
request = KernelRequest((("matmul", 6), ("main", 8)), "cuda:sm_90a", "command-line", arguments)
with RecordingWriter(Path(sys.argv[2])) as writer:
    def send(event):
        if isinstance(event, (PassBegan, PassEnded, PassText, Generated)):
            writer.add(event)
        elif isinstance(event, Failure):
            print(event, file=sys.stderr)

    run_job(Job(sys.argv[1], Path(sys.argv[1]).read_text(), (request,), record=True), send)
"""
"""A program that records the kernel file of its first argument into its second."""
