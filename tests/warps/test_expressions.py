"""Index expressions as Python text against the compiler's own arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import tvm
from hypothesis import given, settings
from hypothesis import strategies as st
from tvm import tirx

from tilescope_worker.facts.ir import kernel_bodies, statements
from tilescope_worker.facts.warps.expressions import NAMESPACE, Reader, UnreadableError, stride_of
from tilescope_worker.facts.warps.lanes import Lanes
from tilescope_worker.facts.warps.requests import requests_of

from .conftest import Lowered

THREAD, LOOP = tirx.Var("tx", "int32"), tirx.Var("k", "int32")
READER = Reader({THREAD: "tx", LOOP: "k"}, lambda var: f"unknown {var}")


def constant(value: int) -> Any:
    return tirx.IntImm("int32", value)


def combined(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Operations of index expressions; factors are small, so that nothing leaves 32 bits."""
    divisor, factor = st.integers(1, 40).map(constant), st.integers(-3, 4).map(constant)

    def of(kinds: list[Any], second: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        return st.builds(lambda make, a, b: make(a, b), st.sampled_from(kinds), children, second)

    bits = st.builds(lambda a, b: a ^ b, children, children)
    chosen = st.builds(lambda a, b, c: tirx.if_then_else(tirx.LT(a, b), c, a), children, children, children)
    return st.one_of(
        of([tirx.Add, tirx.Sub, tirx.Min, tirx.Max], children),
        of([tirx.Mul], factor),
        of([tirx.FloorDiv, tirx.FloorMod, tirx.Div, tirx.Mod], divisor),
        bits,
        chosen,
    )


EXPRESSIONS = st.recursive(
    st.one_of(st.just(THREAD), st.just(LOOP), st.integers(-64, 64).map(constant)), combined, max_leaves=8
)


def by_the_compiler(expression: Any, values: dict[Any, int]) -> int:
    replaced = tvm.tirx.stmt_functor.substitute(expression, {var: constant(value) for var, value in values.items()})
    return int(tvm.arith.Analyzer().simplify(replaced))


@settings(max_examples=60, deadline=None)
@given(EXPRESSIONS, st.integers(0, 127), st.integers(0, 31))
def test_text_has_the_value_the_compiler_computes(expression: Any, thread: int, loop: int) -> None:
    try:
        wanted = by_the_compiler(expression, {THREAD: thread, LOOP: loop})
    except (OverflowError, TypeError):
        return  # beyond 32 bits, or left as it is by the compiler's simplifier
    if abs(wanted) < 2**31:
        assert eval(READER.text(expression), dict(NAMESPACE), {"tx": thread, "k": loop}) == wanted


def test_offsets_of_kernels_are_those_of_the_indices(lowered: Callable[..., Lowered]) -> None:
    """Each store of a kernel, evaluated for each thread and iteration by substitution."""
    module = lowered("epilogue", "cuda:sm_90a").vectorized
    ((scope, requests),) = requests_of(module)
    stores = [
        stmt
        for body in kernel_bodies(module)
        for stmt in statements(body)
        if type(stmt).__name__ == "BufferStore" and not str(stmt.buffer.scope()).startswith("local")
    ]
    (store,) = stores
    (request,) = [one for one in requests if one.mode == "write" and one.space == "global"]
    lanes = Lanes(scope, 32)
    index = store.indices[0].base
    variables = {str(var.name): var for var in tvm.tirx.analysis.undefined_vars(index)}
    sample = list(lanes.samples(request, request.offsets[0]))[-1]
    # Names are in the order the variables are bound: blocks, then the loop.
    bound = dict(zip((variables["bx"], variables["by"], variables["i"]), sample.values.values(), strict=True))
    assert set(sample.values.values()) != {0}
    for lane in (0, 1, 7, 8, 31):
        wanted = by_the_compiler(index, bound | {variables["tx"]: sample.warp * 32 + lane})
        assert sample.offsets[lane] == wanted * 2


def test_what_depends_on_data_says_so() -> None:
    table = tirx.decl_buffer((16,), "int32", "table")
    with pytest.raises(UnreadableError, match="depends on the data of table"):
        READER.text(tirx.BufferLoad(table, [THREAD]) + 1)


def test_stride_of_vector_indices() -> None:
    ramp = tirx.Ramp(THREAD, 1, 4)
    assert stride_of(ramp) == 1
    assert stride_of(tirx.Broadcast(LOOP, 4) + tirx.Cast("int32x4", ramp)) == 1
    assert stride_of(tirx.Ramp(THREAD, LOOP, 4)) is None
    assert stride_of(ramp - ramp) == 0
