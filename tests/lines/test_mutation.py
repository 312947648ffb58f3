"""A generated line that differs when one statement is edited is said to come from that statement."""

from __future__ import annotations

import pytest

from .mutations import ATTENTION, CAUSAL, MUTATIONS
from .support import disagreements

CHOSEN = [
    *(("gemm", "cuda:sm_90a", edit) for edit in MUTATIONS["gemm"]),
    *(("gemm", "cuda:sm_80", edit) for edit in (MUTATIONS["gemm"][0], MUTATIONS["gemm"][4])),
    *(
        ("causal", "cuda:sm_90a", edit)
        for edit in (ATTENTION[0], ATTENTION[1], ATTENTION[7], ATTENTION[10], CAUSAL[-1])
    ),
    *(("dequantized", "cuda:sm_100a", edit) for edit in MUTATIONS["dequantized"][:3]),
    *(("split-k", "cuda:sm_90a", edit) for edit in MUTATIONS["split-k"][:4]),
    ("gemm", "hip:gfx942", MUTATIONS["gemm"][0]),
    ("plain-gemm", "metal", MUTATIONS["plain-gemm"][1]),
    *(("ascend-gemm", "ascend", edit) for edit in MUTATIONS["ascend-gemm"]),
    *(("ascend-vector", "ascend", edit) for edit in MUTATIONS["ascend-vector"]),
]


@pytest.mark.parametrize(("kernel", "target", "edit"), CHOSEN)
def test_what_differs_comes_from_the_edited_statement(kernel: str, target: str, edit: tuple[str, str]) -> None:
    wrong, count = disagreements(kernel, target, *edit)
    assert count > 0
    assert wrong == []
