"""A generated line that differs when one statement is edited is said to come from that statement."""

from __future__ import annotations

import pytest

from .mutations import MUTATIONS
from .support import disagreements

# All of them, on all targets, take minutes: see benchmarks/lines.py.
CHOSEN = [
    *(("gemm", "cuda:sm_90a", edit) for edit in MUTATIONS["gemm"][2:]),
    ("gemm", "cuda:sm_80", MUTATIONS["gemm"][4]),
    *(("causal", "cuda:sm_100a", MUTATIONS["causal"][number]) for number in (0, 7, -1)),
    *(("dequantized", "cuda:sm_90a", edit) for edit in MUTATIONS["dequantized"][:2]),
    *(("split-k", "cuda:sm_100a", edit) for edit in MUTATIONS["split-k"][:2]),
    ("gemm", "hip:gfx942", MUTATIONS["gemm"][0]),
    *(("elementwise", target, MUTATIONS["elementwise"][0]) for target in ("webgpu", "c")),
    ("plain-gemm", "metal", MUTATIONS["plain-gemm"][1]),
    *(("ascend-gemm", "ascend", edit) for edit in MUTATIONS["ascend-gemm"][:2]),
    *(("ascend-vector", "ascend", edit) for edit in MUTATIONS["ascend-vector"]),
]


@pytest.mark.parametrize(("kernel", "target", "edit"), CHOSEN)
def test_what_differs_comes_from_the_edited_statement(kernel: str, target: str, edit: tuple[str, str]) -> None:
    wrong, count = disagreements(kernel, target, *edit)
    assert count > 0
    assert wrong == []
