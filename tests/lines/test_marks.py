"""Marks in generated source."""

from __future__ import annotations

from typing import Any

import pytest
import tilelang  # noqa: F401 - puts its own tvm on the path
import tvm

from tilescope_worker import targets
from tilescope_worker.compat import generate_source
from tilescope_worker.generated import line_table
from tilescope_worker.marks import Calls, Directives, Style, generate_marked
from tilescope_worker.spans import SpanRepair

from .support import elaborate, lower

TARGET = "cuda:sm_90a"


class _Last:
    mod: Any = None

    def pass_started(self, name: str, mod: Any) -> None:
        pass

    def pass_finished(self, name: str, before: Any, after: Any) -> None:
        self.mod = after


@pytest.fixture(scope="module")
def lowered() -> tuple[Any, Any, str]:
    """(PrimFunc as written, module the code generator ran on, source)."""
    _, _, func = elaborate("gemm", TARGET)
    last = _Last()
    with SpanRepair() as repair:
        artifact = lower(func, TARGET, (repair, last))
    return func, last.mod, artifact.kernel_source


def generate(mod: Any, configs: dict[str, Any]) -> str:
    target = targets.resolve(TARGET)
    with tvm.transform.PassContext(opt_level=3, config=configs), target:
        return generate_source(mod, target)


@pytest.mark.parametrize("style", [Calls(), Directives()])
def test_without_its_marks_the_source_is_the_plain_one(lowered: tuple[Any, Any, str], style: Style) -> None:
    _, mod, source = lowered
    assert generate_marked(mod, generate, style).text == source


def test_both_forms_of_marks_say_the_same(lowered: tuple[Any, Any, str]) -> None:
    _, mod, _ = lowered
    calls, directives = (generate_marked(mod, generate, style).owners for style in (Calls(), Directives()))
    assert [owner and owner.node and owner.node.stmt for owner in calls] == [
        owner and owner.node and owner.node.stmt for owner in directives
    ]


def test_directives_are_used_where_calls_fail(lowered: tuple[Any, Any, str]) -> None:
    func, mod, source = lowered

    def refuses_calls(copy: Any, configs: dict[str, Any]) -> str:
        if not configs:
            raise RuntimeError("unknown function")
        return generate(copy, configs)

    assert line_table(mod, source, refuses_calls, func, {}) == line_table(mod, source, generate, func, {})


def test_source_that_differs_has_no_lines(lowered: tuple[Any, Any, str]) -> None:
    func, mod, source = lowered
    table = line_table(mod, source + "// changed afterwards\n", generate, func, {})
    assert table.lines == ()
    assert table.problem is not None
    assert "differs" in table.problem
