"""A recording of a GEMM as the compiler really lowers it."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from tilescope_trace.store.read import open_recording
from tilescope_trace.store.select import find_pass

pytestmark = pytest.mark.skipif(importlib.util.find_spec("tilelang") is None, reason="needs tilelang")

GEMM = """\
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

RECORD = """
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


@pytest.fixture(scope="module")
def gemm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gemm")
    (folder / "gemm.py").write_text(GEMM)
    command = [sys.executable, "-c", RECORD, str(folder / "gemm.py"), str(folder / "gemm.tscope")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "gemm.tscope"


def test_a_gemm_takes_less_than_100_kb(gemm: Path) -> None:
    assert gemm.stat().st_size <= 100_000


def test_every_pass_and_its_texts_are_there(gemm: Path) -> None:
    with open_recording(gemm) as recording:
        assert len(recording.passes) > 60
        assert [record.index for record in recording.passes] == list(range(len(recording.passes)))
        assert sum(record.changed for record in recording.passes) > 20
        for record in recording.passes:
            assert recording.text(record.before)
            assert recording.text(record.after)
            assert record.changed or record.before == record.after
        assert "tma_load" in recording.generated()


def test_nested_passes_name_the_pass_they_ran_in(gemm: Path) -> None:
    with open_recording(gemm) as recording:
        nested = [record for record in recording.passes if record.depth]
        assert nested
        for record in nested:
            assert recording.passes[record.parent].depth == record.depth - 1


def test_the_layouts_appear_in_layout_inference(gemm: Path) -> None:
    with open_recording(gemm) as recording:
        record = find_pass(recording, "LayoutInference")
        assert "layout_map" not in recording.text(record.before)
        assert "layout_map" in recording.text(record.after)


def test_lines_of_the_ir_lead_back_to_the_kernel(gemm: Path) -> None:
    source = GEMM.split("\n")
    with open_recording(gemm) as recording:
        name = recording.passes[0].before
        text = recording.text(name).split("\n")
        found = {
            text[line - 1].strip().partition("(")[0]: source[place.line - 1].strip().partition("(")[0]
            for line, places in recording.line_map(name).origins.items()
            for place in places
        }
    assert found["T.gemm"] == "T.gemm"
    assert found["T.copy"] == "T.copy"
