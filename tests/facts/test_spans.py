"""Span repairs: they change no code, and they leave the environment as it was."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from tilescope_worker.spans import SPAN_SWITCH, SpanRepair

from .conftest import elaborate, lower, read_kernel

CASES = [
    ("staged_gemm.py", "matmul", "cuda:sm_90a", {}),
    ("staged_gemm.py", "matmul", "cuda:sm_80", {"num_stages": 2}),
    ("ascend_dialect.py", "gemm", "ascend", {"M": 256, "N": 256, "K": 256}),
    ("ascend_dialect.py", "vadd", "ascend", {"N": 4096}),
]


@pytest.fixture(params=[None, "1", "0"])
def switch(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str | None]:
    if request.param is None:
        monkeypatch.delenv(SPAN_SWITCH, raising=False)
    else:
        monkeypatch.setenv(SPAN_SWITCH, request.param)
    return request.param


@pytest.mark.parametrize(("file", "kernel", "target", "arguments"), CASES)
def test_generated_code_is_the_same(file: str, kernel: str, target: str, arguments: dict[str, Any]) -> None:
    path, text = read_kernel(file)
    plain = lower(elaborate(path, text, kernel, arguments), target, (), {})
    with SpanRepair() as repair:
        repaired = lower(elaborate(path, text, kernel, arguments), target, (repair,), {})
    assert plain.kernel_source
    assert plain.kernel_source == repaired.kernel_source


def test_the_environment_is_restored_after_a_pass(switch: str | None) -> None:
    repair = SpanRepair()
    repair.pass_started("tl.LowerTileOp", None)
    assert os.environ[SPAN_SWITCH] == "0"
    repair.pass_finished("tl.LowerTileOp", None, None)
    assert os.environ.get(SPAN_SWITCH) == switch


def test_the_environment_is_restored_after_a_failed_pass(switch: str | None) -> None:
    def fail_in_the_pass() -> None:
        with SpanRepair() as repair:
            repair.pass_started("tl.LowerTileOp", None)
            raise RuntimeError("the pass failed")

    with pytest.raises(RuntimeError):
        fail_in_the_pass()
    assert os.environ.get(SPAN_SWITCH) == switch


def test_a_module_it_cannot_read_is_left_alone(caplog: pytest.LogCaptureFixture) -> None:
    repair = SpanRepair()
    repair.pass_started("tl.ProducerConsumerWarpSpecialized", None)
    repair.pass_finished("tl.ProducerConsumerWarpSpecialized", None, object())
    assert "spans could not be repaired" in caplog.text
