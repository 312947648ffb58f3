"""The life of a Python line, and what is said of lines without one."""

from __future__ import annotations

import pytest

from tilescope_trace.errors import UsageError
from tilescope_trace.history import of_line
from tilescope_worker.wire.messages import GeneratedLine

from .conftest import Make, Moment, Source, state


def told(history) -> list[tuple[str, str]]:
    return [(step.record.name, step.change) for step in history.steps]


LIFE = (
    Moment("head\nT.copy(A)", ((2, 23),)),
    Moment("head\n  T.copy(A)", ((2, 23),), name="indents"),
    Moment("wait\nT.tma_copy(A)", ((2, 23),), name="specialize"),
    Moment("if x:\n T.expect(A)\n T.tma_load(A)", ((1, 23), (2, 23), (3, 23)), name="lower"),
    Moment("if y:\n T.expect(A)\n T.tma_load(A)", ((1, 23), (2, 23), (3, 23)), name="simplify"),
    Moment("T.expect(A)\n T.tma_load(A)", ((1, 23), (2, 23)), name="hoist"),
)


def test_a_copy_from_python_to_the_generated_source(make: Make) -> None:
    generated = Source(
        "main() {\n  tma_load();\n}\n",
        (GeneratedLine(2, ((0, 23), (0, 24)), "producer"), GeneratedLine(1, ((0, 8),))),
    )
    history = of_line(make(LIFE, generated), 23)
    assert told(history) == [
        ("indents", "created: copy"),
        ("specialize", "lowered: copy → tma_copy"),
        ("lower", "lowered: tma_copy → expect, tma_load"),
        ("simplify", "rewritten"),
        ("hoist", "rewritten: from 3 to 2 lines"),
    ]
    assert history.steps[0].before is None
    assert history.steps[2].before is not None
    assert (history.steps[2].before.lines, history.steps[2].after.lines) == ((2,), (1, 2, 3))
    assert [(entry.line, entry.text, entry.role) for entry in history.generated] == [(2, "  tma_load();", "producer")]


def test_a_line_that_the_ir_loses(make: Make) -> None:
    moments = [*LIFE[:2], Moment("x", name="forgets"), Moment("x\nT.copy(A)", ((2, 23),), name="repairs")]
    assert told(of_line(make(moments), 23))[1:] == [
        ("forgets", "no line of the IR is known to come from it any more"),
        ("repairs", "created: copy"),
    ]


def test_an_allocation_is_followed_where_its_line_is_lost(make: Make) -> None:
    moments = [
        Moment("A = alloc()\nuse", ((1, 17),), (state("A", 0),)),
        Moment("A = alloc(3)\nuse", ((1, 17),), (state("A", 0, shape=(3, 128, 32)),), name="stages"),
        Moment("x\nA = offset(p)", (), (state("A", 0, None, shape=(), declared=(2,), inside="p"),), name="merge"),
    ]
    assert told(of_line(make(moments), 17)) == [
        ("stages", "created at gemm.py:17: float16 [128, 32] in shared.dyn"),
        ("stages", "multi-versioned: [128, 32] to [3, 128, 32], 3 stages"),
        ("merge", "merged into p"),
    ]


@pytest.mark.parametrize("file", ["gemm.py", "/home/user/project/gemm.py", "project/gemm.py"])
def test_a_file_may_be_named_by_its_end(make: Make, file: str) -> None:
    moments = [Moment("T.copy(A)", ((1, 23),)), Moment("T.load(A)", ((1, 23),))]
    if file == "project/gemm.py":
        with pytest.raises(UsageError, match=r"no file 'project/gemm\.py' in it\. There are gemm\.py"):
            of_line(make(moments), 23, file)
    else:
        assert of_line(make(moments), 23, file).subject.file == "gemm.py"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (5, r"nothing in the IR comes from line 5 of gemm\.py\. Lines that have IR: 23\."),
        (31, r"there is no line 31: gemm\.py has 30\."),
        (0, r"there is no line 0: gemm\.py has 30\."),
    ],
)
def test_lines_without_ir_are_answered_with_those_that_have_some(make: Make, line: int, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        of_line(make(LIFE), line)
