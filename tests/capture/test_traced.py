"""``tilescope trace -- CMD``: a recording of each kernel that a program compiles; cache hits are named as such."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from tests.capture.conftest import Project, make

from tilescope.schemas import SCHEMAS
from tilescope_trace.store.read import open_recording

PROGRAM = """
import sys
import tilelang
from calls import add, gemm
add(128, 32)
kernel = gemm(16, 8, 4, rows=8)
tilelang.compile(kernel, target="c", pass_configs={"tl.disable_vectorize_256": True})
tilelang.compile(kernel, target="c", pass_configs={"tl.disable_vectorize_256": True})
add.get_tir(64, 32)
sys.exit(5)
"""


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> Project:
    project = make(tmp_path_factory.mktemp("traced"), "calls.py")
    (project.folder / "program.py").write_text(PROGRAM)
    return project


def index(folder: Path) -> list[dict[str, Any]]:
    document = json.loads((folder / "index.json").read_text())
    jsonschema.validate(document, SCHEMAS["traced"]())
    kernels: list[dict[str, Any]] = document["kernels"]
    return kernels


def test_each_compile_is_recorded_and_a_second_run_names_cache_hits(traced: Project) -> None:
    done = traced.tilescope("trace", "-o", "first", "--", sys.executable, "program.py")
    assert (done.returncode, done.stderr) == (5, "")
    add, gemm, built = index(traced.folder / "first")
    assert [one["kernel"] for one in (add, gemm, built)] == ["add.main", "gemm.product", "add.main"]
    assert gemm["outcomes"] == ["compiled", "memory"]
    assert (built["outcomes"], built["recording"]) == (["built"], None)
    assert "built its IR only" in built["note"]
    for one in (add, gemm):
        assert "recorded again" in one["note"]
        assert {path.name for path in (traced.folder / "first").glob("*.tscope")} >= {Path(one["recording"]).name}
    with open_recording(traced.folder / gemm["recording"]) as recording:
        kernel = recording.info.kernel
        assert (recording.info.status, kernel.target) == ("ok", "c")
        assert {name: one.value for name, one in kernel.specialization.args.items()} == gemm["args"]
        assert kernel.specialization.pass_configs["tl.disable_vectorize_256"] is True
        assert recording.passes

    done = traced.tilescope("trace", "-v", "-o", "second", "--", sys.executable, "program.py")
    assert done.returncode == 5
    assert "3 specializations seen, 0 recorded in second" in done.stderr
    assert [one["outcomes"] for one in index(traced.folder / "second")] == [["disk"], ["memory", "disk"], ["built"]]
    assert done.stderr.count("cache hit") == 2
    assert not [*(traced.folder / "second").glob("*.tscope")]


def test_a_program_that_compiles_nothing_leaves_an_empty_index(project: Project) -> None:
    done = project.tilescope("trace", "-o", "none", "--", "sh", "-c", "exit 4")
    assert (done.returncode, done.stdout, done.stderr) == (4, "", "")
    assert index(project.folder / "none") == []
