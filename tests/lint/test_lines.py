"""Lines are those of Python, whatever else some programs take for a line end."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilescope_trace.rules import fixes
from tilescope_trace.rules.place import first_line_span, line_span, name_span, statement_span
from tilescope_trace.text_lines import line_starts, lines_of

from .conftest import CLEAN, Write, run

NO_ENDS = "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
"""What `str.splitlines` splits at and Python does not."""
SOURCE = f"# {NO_ENDS}\n\x0c\nx = '{NO_ENDS}' + 'é'\ncopy(x, name=x)\n"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_places_and_edits_are_those_of_the_syntax_tree(end: str) -> None:
    source = SOURCE.replace("\n", end)
    tree = ast.parse(source)
    call = tree.body[-1]
    assert isinstance(call, ast.Expr)
    assert call.lineno == 4
    span = statement_span(tree, source, 4, "copy")
    assert (span.line, span.column, span.end_line, span.end_column) == (4, 1, 4, 16)
    assert span == line_span(source, 4)
    assert (name_span(source, 4, "name").column, first_line_span(source).line) == (9, 1)
    edits = [fixes.node_replaced(source, call, "gemm()"), fixes.line_after(source, 3, "y = 1")]
    assert fixes.applied(source, edits[:1]) == source.replace("copy(x, name=x)", "gemm()")
    assert fixes.applied(source, edits[1:]) == source.replace("copy", "y = 1\ncopy")
    (constant,) = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and node.value == "é"]
    assert fixes.applied(source, [fixes.node_replaced(source, constant, "0")]) == source.replace("'é'", "0")


@given(st.lists(st.sampled_from(["a", "é", "\n", "\r\n", "\r", *NO_ENDS])).map("".join))
def test_lines_begin_where_they_are_said_to(text: str) -> None:
    lines, starts = lines_of(text), line_starts(text)
    assert [text[at : at + len(line)] for at, line in zip(starts, lines, strict=True)] == list(lines)
    assert text.replace("\r\n", "\n").replace("\r", "\n").split("\n") == list(lines)


def test_a_finding_below_a_form_feed_has_its_line(write: Write) -> None:
    write("a.py", f"# {NO_ENDS}\n\x0c\n" + CLEAN.replace("@tilelang.jit", "# tilescope: M\n@tilelang.jit"))
    ran = run("lint", "a.py", "--static", "--format", "concise")
    assert ran.out.startswith("a.py:7:")
    shown = run("lint", "a.py", "--static").out
    assert " 7 | # tilescope: M\n" in shown
