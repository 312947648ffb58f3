"""``tilescope capture --annotate``: a profile of the program names the compile of each call."""

from __future__ import annotations

import json
import sys

import pytest
from tests.capture.conftest import Project

from tilescope_trace.profile.recorded import recorded_kernel
from tilescope_trace.store.read import open_recording

PROGRAM = """
import tilelang
import tilelang.language as T
import torch
from torch.profiler import profile


@tilelang.jit(target="c", execution_backend="cython")
def add(n: int, by: float):
    @T.prim_func
    def main(A: T.Tensor((n,), "float32"), B: T.Tensor((n,), "float32")):
        with T.Kernel(1):
            for i in T.serial(n):
                B[i] = A[i] + by

    return main


if __name__ == "__main__":
    a, b = torch.zeros(64), torch.zeros(64)
    with profile() as recorded:
        for _ in range(2):
            add(64, 2.0)(a, b)
    assert b[0].item() == 2.0
    recorded.export_chrome_trace("trace.json")
"""


@pytest.fixture
def profiled(project: Project) -> Project:
    (project.folder / "program.py").write_text(PROGRAM)
    return project


def test_ranges_name_the_compile_that_a_recording_holds(profiled: Project) -> None:
    done = profiled.tilescope("capture", "--annotate", "--", sys.executable, "program.py")
    assert done.returncode == 0, done.stderr
    events = json.loads((profiled.folder / "trace.json").read_text())["traceEvents"]
    ranges = [one["name"] for one in events if one["ph"] == "X" and one["name"].startswith("tl:")]
    assert len(ranges) == 2
    made = profiled.tilescope("trace", "program.py", "--set", "by=2.0", "-o", "one.tscope")
    assert made.returncode == 0, made.stderr
    with open_recording(profiled.folder / "one.tscope") as recording:
        assert set(ranges) == {f"tl:{recorded_kernel(recording).compile_id}"}
