"""Any text has a tree, problems are where Python sees them, and intact statements survive broken neighbours."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tilescope_trace.source.logical_lines import split
from tilescope_trace.source.tolerant import SyntaxProblem, parse

KERNEL = (Path(__file__).parent.parent / "kernels" / "good_gemm.py").read_text("utf-8")
LINES = KERNEL.split("\n")


def functions(text: str) -> set[str]:
    return {node.name for node in ast.walk(parse(text).tree) if isinstance(node, ast.FunctionDef)}


def allocations(text: str) -> set[str]:
    return {
        node.targets[0].id
        for node in ast.walk(parse(text).tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Call)
    }


def test_good_text_is_pythons_own_tree():
    parsed = parse(KERNEL)
    assert parsed.problems == ()
    assert ast.dump(parsed.tree, include_attributes=True) == ast.dump(ast.parse(KERNEL), include_attributes=True)


@pytest.mark.parametrize(
    ("wrong", "survive"),
    [
        ("A_s = ", {"B_s", "C_l"}),
        ("A_s = T.", {"B_s", "C_l"}),
        ("A_s = T.alloc_shared((bM, bK), ", {"A_s", "B_s", "C_l"}),
        ("A_s = T.alloc_shared((bM, b", {"A_s", "B_s", "C_l"}),
        ('A_s = T.alloc_shared((bM, bK), "floa', {"A_s", "B_s", "C_l"}),
        ("A_s = T.alloc_shared((bM, bK)))", {"B_s", "C_l"}),
        ("for k in T.Pipelined(4, num_stages=", {"B_s", "C_l"}),
        ("with T.Kernel(1", {"B_s", "C_l"}),
        ("if", {"B_s", "C_l"}),
        ("else:", {"B_s", "C_l"}),
        ("def", {"B_s", "C_l"}),
        ("@", {"B_s", "C_l"}),
        ("    A_s = 1", {"B_s", "C_l"}),
        ("'''", {"B_s", "C_l"}),
    ],
)
def test_a_line_being_typed_costs_only_itself(wrong, survive):
    lines = list(LINES)
    at = next(number for number, line in enumerate(lines) if "A_s = T.alloc" in line)
    lines[at] = " " * 12 + wrong
    text = "\n".join(lines)
    assert parse(text).problems
    assert functions(text) == {"kernel", "main"}
    assert survive <= allocations(text)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("threads=128) as (bx, by):", "threads=128) as (bx, by)"),
        ("num_stages=2):", "num_stages=2"),
        ("def kernel(M=256, N=256, K=256, bM=64, bN=64, bK=32):", "def kernel(M=256, N=256,"),
        ("def kernel(M=256, N=256, K=256, bM=64, bN=64, bK=32):", "def kernel"),
        ("    ):\n", "\n"),
        ("@T.prim_func", "@T.prim_func("),
    ],
)
def test_a_broken_header_keeps_its_block(wrong, right):
    text = KERNEL.replace(wrong, right)
    assert text != KERNEL
    assert functions(text) == {"kernel", "main"}
    assert {"A_s", "B_s", "C_l"} <= allocations(text)


def test_a_completed_statement_ends_with_its_line():
    parsed = parse("f(1, (2, [3\ny = 1\n")
    assert parsed.span(parsed.tree.body[0]) == (1, 1, 12)
    assert parsed.source(parsed.tree.body[0]) == "f(1, (2, [3"


def test_the_second_kernel_is_untouched_by_the_first():
    broken = KERNEL.replace("bK=32):", "bK=32", 1)
    second = ast.parse("\n" * KERNEL.count("\n") + KERNEL.replace("def kernel", "def other"))
    tree = parse(broken + KERNEL.replace("def kernel", "def other")).tree
    assert ast.dump(tree.body[-1], include_attributes=True) == ast.dump(second.body[-1], include_attributes=True)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("x = 1\ny = (\n", SyntaxProblem("'(' was never closed", 2, 5, 2, 6)),
        ("größe = 'ä\n", SyntaxProblem("unterminated string literal (detected at line 1)", 1, 9, 1, 10)),
        ("if x\n    pass\n", SyntaxProblem("expected ':'", 1, 5, 1, 6)),
        ("x = '\0'", SyntaxProblem("source code cannot contain null bytes", 1, 6, 1, 7)),
        ("y\nx = '\ud800'", SyntaxProblem("source code cannot contain lone surrogates", 2, 6, 2, 7)),
    ],
)
def test_problems_are_where_python_sees_them(text, problem):
    assert parse(text).problems == (problem,)


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends_do_not_matter(end):
    assert ast.dump(parse(KERNEL.replace("\n", end)).tree) == ast.dump(ast.parse(KERNEL))
    assert parse(KERNEL.replace("\n", end)).lines == tuple(LINES)


def test_a_byte_order_mark_is_no_problem():
    assert parse("\ufeff" + KERNEL).problems == ()


@pytest.mark.parametrize(
    "text",
    [
        "-" * 20000 + "1",
        "a" + ".b" * 20000,
        "(" * 3000,
        "[" * 150 + "]" * 150,
        "if 1: pass\n" + "elif 1: pass\n" * 5000,
        "".join(" " * depth + "if 1:\n" for depth in range(300)),
        "\f\fx = (\n",
        "\tif 1:\n        x = 1\n\ty = 2\n",
        "\\",
        "'''",
        'f"{',
        "\n" * 100 + "match x:\n  case [",
    ],
)
def test_hard_texts_have_trees(text):
    assert isinstance(parse(text + "\n" + KERNEL).tree, ast.Module)


def test_a_deeply_nested_statement_does_not_cost_the_kernel():
    assert functions("x = " + "-" * 20000 + "1\n" + KERNEL) == {"kernel", "main"}


@settings(max_examples=150, deadline=None)
@given(
    st.integers(0, len(KERNEL)),
    st.integers(0, 40),
    st.text(max_size=6) | st.sampled_from(list("()[]{}'\"\\:,@#\n\t\0\ud800")),
)
@example(0, 0, "\ufeff")
def test_any_edit_leaves_a_tree_with_positions_inside_the_text(start, length, inserted):
    text = KERNEL[:start] + inserted + KERNEL[start + length :]
    parsed = parse(text)
    for node in ast.walk(parsed.tree):
        if isinstance(node, (ast.expr, ast.stmt)):
            line, column, end = parsed.span(node)
            assert 1 <= line <= len(parsed.lines)
            assert 1 <= column <= end
            parsed.source(node)
    for problem in parsed.problems:
        assert 1 <= problem.line <= problem.end_line <= len(parsed.lines)
        assert (problem.line, problem.column) < (problem.end_line, problem.end_column)


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="abT.()[]{}'\"\\:,@#=\n\t \r\f\0 defifelsetry\ud800é", max_size=120))
def test_any_text_at_all_has_a_tree(text):
    assert isinstance(parse(text).tree, ast.Module)


def test_logical_lines_resynchronise_at_the_next_statement():
    lines = ["x = f(1,", "y = 2", "z = (", "    3)"]
    assert [(line.start, line.end, line.open) for line in split(lines, 0, 4)] == [(0, 1, "("), (1, 2, ""), (2, 4, "")]
