"""Python that is settled while a kernel is built: told where the source proves it, and nowhere else."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilescope_trace.source.constructs import constructs

HEAD = """\
import tilelang
import tilelang.language as T

@tilelang.jit
def kernel(M=64, flag=None):
    @T.prim_func
    def main(A: T.Tensor((M, 64), "float32"), n: T.int32):
        with T.Kernel(M, threads=128) as bx:
"""
LINE = 7


def told(body: str) -> list[tuple[str, str]]:
    text = HEAD + textwrap.indent(textwrap.dedent(body), " " * 12) + "    return main\n"
    return [(one.kind, one.subject) for one in constructs(text, LINE)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("x = 1.0 if bx in (1, 2) else 0.0\n", [("membership", "bx")]),
        ("x = A[bx, 0] not in [1, 2]\n", [("membership", "A[bx, 0]")]),
        ("x = bx + 1 is 3\n", [("identity", "bx + 1")]),
        ("match n:\n    case 1:\n        T.copy(A, A)\n", [("match", "n")]),
        (
            "phase = 0\nfor k in T.serial(4):\n    T.mbarrier_wait_parity(A, phase)\n    phase ^= 1\n",
            [("rebinding", "phase")],
        ),
        ("x = 0\nif bx > 1:\n    x = 1\nT.print(x)\n", [("rebinding", "x")]),
        ("x = 0\nfor k in range(4):\n    if k > bx:\n        x = 1\nT.print(x)\n", [("rebinding", "x")]),
        ("try:\n    T.copy(A, A)\nexcept ValueError:\n    pass\n", [("try", "try")]),
    ],
)
def test_what_is_settled_at_build_time_is_told(body: str, expected: list[tuple[str, str]]) -> None:
    assert told(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "x = 1.0 if flag in (1, 2) else 0.0\n",
        "x = n is None\n",
        "x = bx == 1 or bx == 2\n",
        "for k in [1, 2]:\n    x = k in (1, 2)\n",
        "x = T.alloc_var('int32', init=0)\nfor k in T.serial(4):\n    x += 1\nT.print(x)\n",
        "x = 0\nfor k in [1, 2]:\n    x += 1\nT.print(x)\n",
        "x = 0\nif flag:\n    x = 1\nT.print(x)\n",
        "x = bx\nfor k in T.serial(4):\n    x = x + k\n",
        "for k in T.serial(1):\n    x = 0\n    x += 1\n    T.print(x)\n",
        "x = 0\nif bx > 1:\n    x = 1\n    T.print(x)\nx = 2\nT.print(x)\n",
        "try:\n    x = int(flag)\nexcept TypeError:\n    x = 0\n",
    ],
)
def test_python_that_is_meant_is_left_alone(body: str) -> None:
    assert told(body) == []


def test_a_text_that_does_not_parse_proves_nothing() -> None:
    assert told("x = bx in (1, 2)\nif (:\n") == []


@given(st.text(max_size=200))
def test_any_text_has_an_answer(body: str) -> None:
    constructs(HEAD + body, LINE)
