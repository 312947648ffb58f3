"""Facts as a compiler gives them for tests/kernels/editor_gemm.py, made by hand, and the text they belong to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tilescope_trace.model import (
    Argument,
    Buffer,
    DecidedBy,
    FileFacts,
    Finding,
    Kernel,
    Launch,
    Layout,
    Operation,
    Snapshot,
    Specialization,
)

KERNELS = Path(__file__).parent.parent / "kernels"


@pytest.fixture(scope="session")
def gemm_text() -> str:
    return (KERNELS / "editor_gemm.py").read_text()


@pytest.fixture(scope="session")
def static_kernel() -> Kernel:
    """What the source alone says."""
    return Kernel(
        name="main",
        qualname="matmul.main",
        line=8,
        form="lazy",
        target="cuda:sm_90a",
        target_origin="default",
        stage="static",
        status="ok",
        specialization=Specialization("0123456789ab", "default", {"M": Argument(1024, "default", None, 6)}),
        launch=Launch(grid=(8, 8), threads=128, line=9, column=14, end_column=71),
        buffers=(
            Buffer("A_shared", 10, 13, (128, 32), "float16", "shared.dyn", end_column=21),
            Buffer("C_local", 12, 13, (128, 128), "float32", "local.fragment", end_column=20),
        ),
        operations=(
            Operation("pipeline", 14, 22, 74, detail={"num_stages": 3}),
            Operation("copy", 15, 17, 53),
            Operation("gemm", 17, 17, 52),
        ),
    )


@pytest.fixture(scope="session")
def compiled_kernel(static_kernel: Kernel) -> Kernel:
    """What the compiler makes of it, at stage ``lowered``."""
    a, c = static_kernel.buffers
    pipeline, copy, gemm = static_kernel.operations
    reason = DecidedBy("tl.LayoutInference", 17, "operand of the gemm")
    assert static_kernel.launch is not None
    return replace(
        static_kernel,
        stage="lowered",
        launch=replace(static_kernel.launch, threads_lowered=256, shared_dynamic_bytes=49152),
        buffers=(
            replace(a, stages=3, bytes=24576, layout=Layout("shared", "Sw<2,4,3>", "64B", decided_by=reason)),
            replace(
                c, bytes=65536, layout=Layout("fragment", "mma", registers_per_thread=128, replicate=1, threads=128)
            ),
        ),
        operations=(
            replace(pipeline, detail={"num_stages": 3, "async": True}),
            replace(copy, lowered_to=("tma_load",)),
            replace(gemm, lowered_to=("wgmma",)),
        ),
    )


@pytest.fixture(scope="session")
def facts() -> Callable[..., FileFacts]:
    """Facts of a file from kernels and findings."""

    def make(*kernels: Kernel, findings: tuple[Finding, ...] = (), complete: bool = True) -> FileFacts:
        return FileFacts("/w/gemm.py", "0.1.15", kernels, findings, complete)

    return make


@pytest.fixture(scope="session")
def snapshot() -> Callable[[str, int], Snapshot]:
    return lambda text, version: Snapshot("/w/gemm.py", text, version)


@pytest.fixture(scope="session")
def syntax_error() -> Finding:
    return Finding("TS001", "error", "/w/gemm.py", 15, 17, 15, 24, "'(' was never closed")
