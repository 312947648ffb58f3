"""Generated lines have Python lines, and only such as exist in the author's file."""

from __future__ import annotations

import pytest

from .support import generated

KERNELS = [
    ("gemm", "cuda:sm_80"),
    ("gemm", "cuda:sm_90a"),
    ("gemm", "cuda:sm_100a"),
    ("attention", "cuda:sm_90a"),
    ("causal", "cuda:sm_100a"),
    ("dequantized", "cuda:sm_90a"),
    ("split-k", "cuda:sm_80"),
    ("split-k", "cuda:sm_100a"),
    ("gemm", "hip:gfx942"),
    ("elementwise", "webgpu"),
    ("elementwise", "c"),
    ("plain-gemm", "metal"),
    ("ascend-gemm", "ascend"),
    ("ascend-vector", "ascend"),
]


@pytest.mark.parametrize(("kernel", "target"), KERNELS)
def test_lines_of_a_kernel_have_a_python_line(kernel: str, target: str) -> None:
    made = generated(kernel, target)
    assert made.table.problem is None
    assert made.coverage >= 0.95


@pytest.mark.parametrize(("kernel", "target"), KERNELS)
def test_lines_exist_in_the_authors_file(kernel: str, target: str) -> None:
    made = generated(kernel, target)
    assert made.table.files == (made.path,)
    python = made.python.splitlines()
    said = {line for record in made.table.lines for _, line in record.origins}
    assert max(said) <= len(python)
    assert all(python[line - 1].strip() for line in said)


def test_includes_have_no_python_line() -> None:
    made = generated("gemm", "cuda:sm_90a")
    assert all(record is None for record in made.at("#include"))
