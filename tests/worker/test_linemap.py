"""Marks for the line map leave the printed text as the compiler prints it."""

from __future__ import annotations

from typing import Any

import pytest
import tilelang
import tvm
from tilescope_worker import load, targets
from tilescope_worker.linemap import print_with_lines
from tilescope_worker.observe import Observer

from .conftest import KERNELS


@pytest.fixture(scope="module")
def modules() -> list[Any]:
    path = KERNELS / "staged_gemm.py"
    func = load.execute(str(path), path.read_text()).namespace["matmul"].get_tir()
    target = targets.resolve("cuda:sm_90a")
    printed: list[tuple[Any, str]] = []
    observer = Observer(
        ended=lambda run: printed.append((run, run.after.module.script()) if run.after else (run, ""))
    )
    with tvm.transform.PassContext(opt_level=3, instruments=[observer.instrument]), target:
        tilelang.lower(func, target=target)
    return printed


def test_text_is_what_the_compiler_prints_also_later(modules: list[Any]) -> None:
    assert len(modules) > 70
    for run, printed in modules:
        assert print_with_lines(run.after.module)[0] == printed, run.name


def test_most_statements_have_a_line(modules: list[Any]) -> None:
    path = str(KERNELS / "staged_gemm.py")
    for run, _ in modules:
        if run.module == "both":
            _, files, lines = print_with_lines(run.after.module)
            assert path in files, run.name
            assert len(lines) >= 6
