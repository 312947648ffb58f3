"""Hints of a few lines are those of the whole text on these lines, and are what the protocol says."""

from __future__ import annotations

from dataclasses import replace

import pytest
from lsprotocol import converters, types
from pygls.workspace import PositionCodec

from tilescope_server import convert
from tilescope_server.hints import Hint, differ, hints_of
from tilescope_server.session import Document, Session
from tilescope_server.settings import Settings
from tilescope_server.sites import sites_of
from tilescope_server.statics import static_facts
from tilescope_server.trust import decide
from tilescope_trace.model import Kernel, Options

MACRO = """\
import tilelang
import tilelang.language as T

@T.macro
def load(source, target):
    T.copy(source, target)
    part = T.alloc_fragment((64, 8), "float32")

"""
KERNEL = """\
@tilelang.jit
def make{number}(
    M={size},
    dtype="float16",
):
    @T.prim_func
    def main(A: T.Tensor((M, 64), dtype), B: T.Tensor((M,), dtype)):
        with T.Kernel(M // 64, threads=128) as bx:
            tile = T.alloc_shared((64, 64), dtype)
            load(A[bx * 64, 0], tile)
    return main

make{number}({size} * 2)
"""
TEXT = MACRO + "".join(KERNEL.format(number=number, size=256 << number) for number in range(3))
SHOWN = Settings().hints


@pytest.fixture
def document() -> Document:
    settings = Settings()
    found = Session(settings, decide(settings), None).open("file:///w/kernels.py", TEXT, 1)
    read, problem = static_facts(found.snapshot, Options(static=True))
    assert found.inform(found.snapshot, read, problem)
    return found


def whole(document: Document) -> tuple[Hint, ...]:
    return hints_of(sites_of(document.analysis), document.lines, SHOWN)


def test_every_range_has_the_hints_of_the_whole(document: Document) -> None:
    every = whole(document)
    assert len({hint.line for hint in every}) > 9
    assert document.hints(SHOWN) == every
    for first in range(1, len(document.lines) + 1):
        for last in range(first, len(document.lines) + 1):
            assert document.hints(SHOWN, first, last) == tuple(one for one in every if first <= one.line <= last)


def test_hints_move_with_an_edit_above(document: Document) -> None:
    before = document.hints(SHOWN, 12, 20)
    document.edit("# first\n" + TEXT, 2)
    read, problem = static_facts(document.snapshot, Options(static=True))
    document.inform(document.snapshot, read, problem)
    after = document.hints(SHOWN, 13, 21)
    assert [(one.line + 1, one.column, one.label) for one in before] == [
        (one.line, one.column, one.label) for one in after
    ]


def test_states_differ_where_a_kernel_says_something_else(document: Document) -> None:
    before = document.analysis
    facts = before.facts
    assert facts is not None

    def with_first(kernel: Kernel) -> bool:
        changed = before.informed(replace(facts, kernels=(kernel, *facts.kernels[1:])))
        return differ(before, changed, SHOWN)

    first = facts.kernels[0]
    assert not with_first(replace(first, notes=("nothing that hints say",)))
    assert with_first(replace(first, buffers=(*first.buffers[:-1], replace(first.buffers[-1], dtype="int8"))))
    assert with_first(replace(first, stage="layouts"))


def test_a_hint_as_json_is_one_of_the_protocol(document: Document) -> None:
    converter, codec = converters.get_converter(), PositionCodec()
    for hint in whole(document):
        for linked in (True, False):
            sent = convert.inlay_hint(hint, document, codec, tooltip="**why**", linked=linked)
            structured = converter.structure(sent, types.InlayHint)
            assert converter.unstructure(structured) == sent
            shown = structured.label
            text = shown if isinstance(shown, str) else "".join(part.value for part in shown)
            assert text == hint.label.text
