"""The repair of spans: it changes no code, and what is wrong or missing in a module gets a line."""

from __future__ import annotations

from typing import Any

import pytest
import tilelang
from tilelang.ir import get_stmt_span, make_span, set_stmt_span
from tvm.tirx.stmt_functor import post_order_visit

from tilescope_worker.facts.ir import kernel_bodies, location, statements
from tilescope_worker.spans import SpanRepair

from .support import elaborate, generated, lower


@pytest.mark.parametrize(
    ("kernel", "target"),
    [
        ("gemm", "cuda:sm_80"),
        ("gemm", "cuda:sm_90a"),
        ("gemm", "cuda:sm_100a"),
        ("gemm", "hip:gfx942"),
        ("plain-gemm", "metal"),
        ("ascend-gemm", "ascend"),
        ("ascend-vector", "ascend"),
    ],
)
def test_generated_code_is_the_same_without_it(kernel: str, target: str) -> None:
    _, _, func = elaborate(kernel, target)
    assert lower(func, target, ()).kernel_source == generated(kernel, target).source


class _Placed:
    """How many leaf statements of device code have a line, after each pass."""

    def __init__(self) -> None:
        self.foreign: set[str] = set()
        self.shares: dict[str, float] = {}

    def pass_started(self, name: str, mod: Any) -> None:
        pass

    def pass_finished(self, name: str, before: Any, after: Any) -> None:
        if any(int((f.attrs or {}).get("calling_conv", 0)) == 1 for f in after.functions.values()):
            return
        found = [location(s) for body in kernel_bodies(after) for s in statements(body) if _is_leaf(s)]
        self.foreign |= {where.file for where in found if where is not None}
        self.shares[name] = sum(where is not None for where in found) / max(1, len(found))


def _is_leaf(stmt: Any) -> bool:
    return type(stmt).__name__ in ("Evaluate", "BufferStore", "AllocBuffer", "IfThenElse", "For")


@pytest.mark.parametrize("target", ["cuda:sm_80", "cuda:sm_90a"])
def test_statements_have_the_authors_lines_after_each_pass(target: str) -> None:
    path, _, func = elaborate("split-k", target)
    placed = _Placed()
    with SpanRepair() as repair:
        lower(func, target, (repair, placed))
    assert placed.foreign == {path}
    assert {name: share for name, share in placed.shares.items() if share < 0.95 and name != "tl.LetInline"} == {}


@pytest.mark.parametrize("line", [("{path}", 10_000), ("{package}", 12)])
def test_a_line_that_is_not_the_authors_is_replaced(line: tuple[str, int]) -> None:
    path, text, func = elaborate("gemm", "cuda:sm_90a")
    gemm = next(i for i, content in enumerate(text.splitlines(), 1) if "T.gemm(" in content)
    copy = next(i for i, content in enumerate(text.splitlines(), 1) if "T.copy(B[" in content)

    class Spoil:
        def pass_started(self, name: str, mod: Any) -> None:
            pass

        def pass_finished(self, name: str, before: Any, after: Any) -> None:
            if name != "tl.LowerTileOp":
                return
            file = line[0].format(path=path, package=tilelang.__file__)
            for stmt in (s for body in kernel_bodies(after) for s in statements(body)):
                if type(stmt).__name__ == "Evaluate" and location(stmt) in ((path, gemm), (path, copy)):
                    set_stmt_span(stmt, make_span(file, line[1]))

    last: list[Any] = []

    class Last:
        def pass_started(self, name: str, mod: Any) -> None:
            pass

        def pass_finished(self, name: str, before: Any, after: Any) -> None:
            last[:] = [after]

    with SpanRepair() as repair:
        lower(func, "cuda:sm_90a", (Spoil(), repair, Last()))
    found = []
    for body in kernel_bodies(last[0]):
        post_order_visit(body, lambda node: found.append(node) if type(node).__name__ == "Evaluate" else None)
    spans = [get_stmt_span(stmt) for stmt in found]
    assert all(span is not None and span.source_name.name == path for span in spans)
    assert all(span.line <= len(text.splitlines()) for span in spans)
