"""Trees of edited texts are those that Python makes of them, and cost what the edited statement costs."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tilescope_trace.source.reparse import Parser, settled
from tilescope_trace.source.tolerant import parse, prepare

KERNEL = (Path(__file__).parent.parent / "kernels" / "good_gemm.py").read_text("utf-8")
AROUND = "import os\n@\\\nfirst\n@second(\n    1)\ndef one():\n    pass\na = 1; b = (2,\n    3); c = 4\nif a:\n    b\nelse:\n    c\n\\\n\nx = '''\ny'''\n"  # noqa: E501
PIECES = [
    *("", " ", "\n", "\n\n", "    ", "x", "x = 1", "else:", "elif a:", "@second", "\\", "\\\n", ";", "#", "'''", '"'),
    *("(", ")", "def two():\n    return 1\n", "    + 2", "+ 2", "try:", "é", "\f", "finally:\n    pass"),
]
EDITS = st.lists(st.tuples(st.integers(0), st.integers(0, 40), st.sampled_from(PIECES), st.booleans()), max_size=6)


def dump(tree: ast.AST) -> str:
    return ast.dump(tree, include_attributes=True)


def edited(text: str, place: int, count: int, piece: str, *, whole_lines: bool) -> str:
    """``count`` characters (or lines) at a place replaced by a piece."""
    if not whole_lines:
        start = place % (len(text) + 1)
        return text[:start] + piece + text[start + count :]
    lines = text.split("\n")
    start = place % len(lines)
    return "\n".join([*lines[:start], piece, *lines[start + count % 4 :]])


@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
@settings(max_examples=60, deadline=None)
@given(EDITS, st.sampled_from([AROUND, AROUND * 3]))
@example([(8, 1, "+ 2", True)], "x = 1 \\\n\ny = 2\n" * 4)
@example([(0, 0, "\n", True), (9, 0, "x", True), (20, 2, "def two():\n    return 1\n", True)], AROUND * 3)
def test_edited_text_has_the_tree_of_a_fresh_one(edits, text):
    parser = Parser(ast.parse)
    for edit in [None, *edits]:
        text = text if edit is None else edited(text, *edit[:3], whole_lines=edit[3])
        try:
            expected = dump(ast.parse(text))
        except (SyntaxError, ValueError):
            expected = None
        try:
            lines = text.split("\n")
            found = dump(ast.Module(settled(parser(lines), ast.parse), []))
        except (SyntaxError, ValueError):
            found = None
        assert found == expected


def test_only_the_edited_statement_is_parsed():
    parsed: list[str] = []

    def counting(text: str) -> ast.Module:
        parsed.append(text.strip())
        return ast.parse(text)

    parser = Parser(counting)
    text = AROUND + KERNEL + AROUND
    before = parser(text.split("\n"))
    after = parser(text.replace("    pass", "    return 5", 1).split("\n"))
    assert len(parsed) == 2
    assert parsed[1].endswith("return 5")
    assert len(parsed[1]) < 80
    shared = {id(node) for node in before.body} & {id(node) for node in after.body}
    assert len(shared) == len(before.body) - 1


def test_same_text_is_parsed_once():
    assert parse(KERNEL) is parse(KERNEL)


@pytest.mark.parametrize("statements", [0, 1, 3, 100])
def test_work_that_is_stopped_is_taken_up_again(statements: int) -> None:
    before = f"# {statements}\n{AROUND * 3}"
    parse(before)
    text, left = f"\n\n{before}", iter(range(statements))
    prepare(text, lambda: next(left, None) is None)
    assert dump(parse(text).tree) == dump(ast.parse(text))
