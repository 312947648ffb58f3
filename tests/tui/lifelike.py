"""A made-up GEMM with facts, findings and generated source whose Python lines are known."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from tests.recordings import BOUND, GEMM, INFO, SOURCE, Step, text_hash, write_steps

from tilescope_trace.model import Buffer, Finding, Kernel, Launch, Layout, LayoutMap, MemoryUse, SourceFile
from tilescope_trace.store.write import RecordingWriter
from tilescope_worker.wire.messages import Generated, GeneratedLine

SWIZZLED = Layout("shared", "Sw<2,4,3>", "64B", map=LayoutMap((128, 32), (4096,), ("i * 32 + (j ^ i % 4 * 8)",)))
KERNEL = dataclasses.replace(
    INFO.kernel,
    launch=Launch(grid=(8, 8), threads=128, memory=(MemoryUse("shared", 49152, 65536),), line=9),
    buffers=(
        Buffer("A_shared", 10, 9, (128, 32), "float16", "shared.dyn", 3, 24576, layout=SWIZZLED),
        Buffer("C_local", 11, 9, (128, 128), "float32", "local.fragment", 1, 65536),
    ),
    findings=(Finding("TS211", "warning", "gemm.py", 10, 9, 10, 17, "bank conflicts: 4 ways", help="pad the rows"),),
)
COPY, GEMM_CALL = (
    next(at for at, line in enumerate(BOUND.split("\n"), 1) if operation in line)
    for operation in ("T.copy", "T.gemm")
)
"""Lines of the first changed text, and so of Python: here they are the same."""
GENERATED = (
    '#include <a.h>\nextern "C" void main_kernel() {\n  tl::tma_load(A_shared, 1);\n  tl::gemm(A_shared);\n}\n'
)


def write_gemm(
    path: Path,
    steps: tuple[Step, ...] = GEMM,
    source: str = SOURCE + "\n" * 20,
    workspace: str = "/home/user/project",
    kernel: Kernel = KERNEL,
) -> Path:
    """The recording: its copy and its gemm come from the lines of the texts they stand in."""
    with RecordingWriter(path) as writer:
        writer.add_source(SourceFile("gemm.py", source, text_hash(source)))
        write_steps(writer, steps)
        lines = (GeneratedLine(3, ((0, COPY),), "producer"), GeneratedLine(4, ((0, GEMM_CALL),), "consumer"))
        writer.add(Generated(0, "cuda", GENERATED, ("/home/user/project/gemm.py",), lines))
        writer.finish(dataclasses.replace(INFO, kernel=kernel, workspace=workspace))
    return path
