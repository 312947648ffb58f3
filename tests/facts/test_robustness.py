"""Unexpected IR leaves facts unknown; it never stops a compile."""

from __future__ import annotations

import logging
from types import SimpleNamespace
from typing import Any

import pytest

from tilescope_worker import targets
from tilescope_worker.facts.collect import Collector
from tilescope_worker.facts.instructions import instruction_name

from .conftest import elaborate, lower, read_kernel


@pytest.fixture
def func() -> Any:
    return elaborate(*read_kernel("staged_gemm.py"), "matmul", {"bK": 16})


def test_buffers_before_any_lowering(func: Any) -> None:
    path, _ = read_kernel("staged_gemm.py")
    collector = Collector(func, None, "cuda:sm_90a", path)
    found = {buffer.name: buffer for buffer in collector.buffers}
    assert (found["A_shared"].shape, found["A_shared"].stages, found["A_shared"].layout) == ((128, 16), 1, None)


def test_declarations_of_another_file_have_no_line(func: Any) -> None:
    collector = Collector(func, None, "cuda:sm_90a", "/somewhere/else.py")
    assert {buffer.line for buffer in collector.buffers} == {None}
    assert {operation.line for operation in collector.operations} == {None}
    assert all("defined_in" in op.detail for op in collector.operations)


def test_modules_it_cannot_read_leave_facts_as_they_were(func: Any, caplog: pytest.LogCaptureFixture) -> None:
    path, _ = read_kernel("staged_gemm.py")
    collector = Collector(func, None, "cuda:sm_90a", path)
    before = collector.buffers, collector.operations, collector.launch
    with caplog.at_level(logging.WARNING):
        for name in ("tl.PipelinePlanning", "tl.LayoutInference", "tl.VectorizeLoop"):
            collector.pass_finished(name, None, SimpleNamespace())
        collector.finished(SimpleNamespace(device_mod=SimpleNamespace()))
    assert (collector.buffers, collector.operations, collector.launch) == before
    assert "layouts not known" in caplog.text
    assert "shared memory not known" in caplog.text


def test_something_that_is_no_function(caplog: pytest.LogCaptureFixture) -> None:
    collector = Collector(SimpleNamespace(), None, "cuda:sm_90a", "/kernel.py")
    assert (collector.buffers, collector.operations, collector.launch) == ((), (), None)
    assert "buffers not known" in caplog.text


def test_stages_are_reached_in_order(func: Any) -> None:
    path, _ = read_kernel("staged_gemm.py")
    collector = Collector(func, targets.resolve("cuda:sm_90a"), "cuda:sm_90a", path)
    seen = [collector.stage_reached]

    class Watch:
        def pass_started(self, name: str, mod: Any) -> None:
            pass

        def pass_finished(self, name: str, before: Any, after: Any) -> None:
            if collector.stage_reached != seen[-1]:
                seen.append(collector.stage_reached)

    artifact = lower(func, "cuda:sm_90a", (collector, Watch()), {})
    collector.finished(artifact)
    assert [*seen, collector.stage_reached] == ["buffers", "layouts", "lowered"]


@pytest.mark.parametrize(
    ("operator", "name"),
    [
        ("tl.tma_load", "tma_load"),
        ("tl.tma_store", "tma_store"),
        ("tl.tma_store_wait", None),
        ("tl.ptx_cp_async", "cp_async"),
        ("tl.ptx_cp_async_barrier_noinc", None),
        ("tl.ptx_tcgen05_mma_ss", "tcgen05"),
        ("tirx.ptx_commit_group", None),
        ("tl.simd.vadd", "vector"),
        ("tl.ascend_mad", "cube"),
        ("tl.ascend_set_flag", None),
    ],
)
def test_instruction_names(operator: str, name: str | None) -> None:
    assert instruction_name(operator) == name
