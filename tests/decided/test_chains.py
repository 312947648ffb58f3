"""Random kernels: the operations that a reason names, and those it leads to, are enough to get the same layout."""

from __future__ import annotations

import random
import re

import pytest

from .conftest import Decided, decide

HEAD = """import tilelang
import tilelang.language as T


@tilelang.jit
def kernel():
    @T.prim_func
    def main(A: T.Tensor((64, 64), "float16"), B: T.Tensor((64, 64), "float16")):
        with T.Kernel(1, threads=128):
            A_s = T.alloc_shared((64, 64), "float16")
            B_s = T.alloc_shared((64, 64), "float16")
            S = T.alloc_fragment((64, 64), "float32")
            O = T.alloc_fragment((64, 64), "float32")
            x = T.alloc_fragment((64, 64), "float32")
            y = T.alloc_fragment((64, 64), "float32")
            p = T.alloc_fragment((64,), "float32")
            q = T.alloc_fragment((64,), "float32")
            r = T.alloc_fragment((64,), "float32")
"""
INDENT = " " * 12
LOOPS = {1: "for i in T.Parallel(64):", 2: "for i, j in T.Parallel(64, 64):"}

Statement = tuple[str, ...]
"""Its lines: an operation, or the head and the body of a loop."""


def statements(seed: int) -> list[Statement]:
    choose = random.Random(seed)

    def tile() -> str:
        return choose.choice("xySO")

    def row() -> str:
        return choose.choice("pqr")

    kinds = [
        lambda: (f"T.copy({tile()}, {choose.choice('xy')})",),
        lambda: (LOOPS[2], f"    {choose.choice('xy')}[i, j] = {tile()}[i, j] * {tile()}[i, j]"),
        lambda: (LOOPS[2], f"    {tile()}[i, j] *= {row()}[i]"),
        lambda: (LOOPS[1], f"    {row()}[i] = {row()}[i] * {row()}[i]"),
        lambda: (f"T.reduce_max({tile()}, {row()}, dim=1)",),
        lambda: (f"T.copy({row()}, {row()})",),
    ]
    body: list[Statement] = [choose.choice(kinds)() for _ in range(choose.randint(4, 8))]
    for target, policy in (("S", "FullRow"), ("O", choose.choice(["FullRow", "Square"]))):
        gemm = f"T.gemm(A_s, B_s, {target}, policy=T.GemmWarpPolicy.{policy})"
        body.insert(choose.randint(0, len(body)), (gemm,))
    return body


def lowered(body: list[Statement]) -> tuple[Decided, dict[int, Statement]]:
    lines, starts = HEAD.splitlines(), {}
    for statement in body:
        starts[len(lines) + 1] = statement
        lines += [INDENT + line for line in statement]
    text = "\n".join([*lines, "", "    return main", ""])
    return decide(text, "/nowhere/chains.py", "kernel", "cuda:sm_80", {}), starts


def named(found: Decided, name: str, seen: frozenset[str] = frozenset()) -> set[int]:
    """The lines in the reason for ``name`` and in those of the buffers it follows."""
    reason = found.by[name].reason
    lines = {int(line) for line in re.findall(r"on line (\d+)", reason)}
    source = re.search(r"(?:to match|reduces|goes with) (\w+)", reason)
    if source is not None and source[1] not in seen:
        lines |= named(found, source[1], seen | {name})
    return lines


@pytest.mark.parametrize("seed", [1, 4, 5, 33, 37, 41, 44, 48])
def test_what_is_named_is_enough(seed: int) -> None:
    found, starts = lowered(statements(seed))
    assert found.error is None
    sure = [name for name in sorted(set(found.by) & set("xypqr")) if "likely" not in found.reason(name)]
    assert sure
    for name in sure:
        chain = named(found, name)
        kept, _ = lowered([statement for line, statement in starts.items() if line in chain])
        assert kept.layouts[name] == found.layouts[name], found.reason(name)
