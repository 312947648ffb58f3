"""What several rooms' tests share: recordings of a made-up but lifelike GEMM."""

from __future__ import annotations

import dataclasses
import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from tests.recordings import FAILING, GEMM, INFO, REAL_GEMM, RECORD_REAL_GEMM, SOURCE, Step, text_hash, write_steps

from tilescope_trace.model import RecordingInfo, SourceFile
from tilescope_trace.store.write import RecordingWriter
from tilescope_worker.wire.messages import Generated

os.environ["TILESCOPE_DEVICE"] = "none"  # what is expected does not depend on the GPU of the machine

MakeRecording = Callable[..., Path]


@pytest.fixture
def make_recording(tmp_path: Path) -> MakeRecording:
    """``make_recording(name="gemm", steps=GEMM, generated=..., info=INFO)`` writes a finished recording."""

    def make(
        name: str = "gemm",
        steps: Sequence[Step] = GEMM,
        generated: str
        | None = '#include <tl_templates/cuda/gemm.h>\nextern "C" __global__ void main_kernel() {\n}\n',
        info: RecordingInfo = INFO,
    ) -> Path:
        path = tmp_path / f"{name}.tscope"
        failed = any(step.error for step in steps)
        with RecordingWriter(path) as writer:
            writer.add_source(SourceFile("gemm.py", SOURCE, text_hash(SOURCE)))
            write_steps(writer, steps)
            if generated is not None and not failed:
                writer.add(Generated(0, "cuda", generated))
            writer.finish(dataclasses.replace(info, status="failed" if failed else info.status))
        return path

    return make


@pytest.fixture
def failed_recording(make_recording: MakeRecording) -> Path:
    """A recording whose last pass failed."""
    return make_recording("failed", FAILING)


@pytest.fixture(scope="session")
def real_gemm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording of REAL_GEMM as the compiler lowers it for Hopper; needs tilelang."""
    if importlib.util.find_spec("tilelang") is None:
        pytest.skip("needs tilelang")
    folder = tmp_path_factory.mktemp("gemm")
    (folder / "gemm.py").write_text(REAL_GEMM)
    command = [sys.executable, "-c", RECORD_REAL_GEMM, str(folder / "gemm.py"), str(folder / "gemm.tscope")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "gemm.tscope"
