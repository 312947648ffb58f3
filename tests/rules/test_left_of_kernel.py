"""TS150 says what TileLang really reads, however a file is indented and its lines end."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest
from tests.lint.conftest import run

from tilescope_trace.rules.cut import Cut, indented
from tilescope_trace.rules.fixes import applied

from .examples import analysed

KERNEL = """\
import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_80
@tilelang.jit
def scale(M=1024, block=128):
    @T.prim_func
    def main(A: T.Tensor((M,), "float16"), B: T.Tensor((M,), "float16")):
        with T.Kernel(T.ceildiv(M, block), threads=128) as bx:
# one for each
            for i in T.Parallel(block):
                B[bx * block + i] = A[bx * block + i] * 2

    return main
"""
LEFT = 11
MACRO = """\
import tilelang
import tilelang.language as T


class Tools:
    @T.macro
    def twice(x):
# left of a macro
        return x * 2
"""
DOCSTRING = KERNEL.replace("# one for each\n", "").replace(
    "        with T.Kernel", '        """What it does\n""" ; pass\n        with T.Kernel'
)


def found(text: str) -> list[tuple[str, int, str]]:
    example = analysed(Path("kernel.py").absolute(), text)
    return [(one.code, one.line, one.message.rpartition("reads ")[2]) for one in example.findings]


@pytest.mark.parametrize(
    ("text", "line", "read"),
    [
        (KERNEL, LEFT, "`e for each` here"),
        (KERNEL.replace("\n", "\r\n"), LEFT, "`e for each` here"),
        (KERNEL.replace("    ", "\t"), LEFT, "`one for each` here"),
        (KERNEL.replace("# one", "\t# one"), LEFT, "`ne for each` here"),
        (MACRO, 8, "`ft of a macro` here"),
        (DOCSTRING, 11, "`; pass` here"),
    ],
)
def test_the_line_and_what_is_read_of_it(text: str, line: int, read: str) -> None:
    pytest.importorskip("tilelang")
    compile(text, "kernel.py", "exec")
    assert found(text) == [("TS150", line, read)]


@pytest.mark.parametrize("text", [KERNEL, KERNEL.replace("    ", "\t"), MACRO, DOCSTRING])
def test_lines_are_cut_as_tilelang_cuts_them(text: str) -> None:
    eager = pytest.importorskip("tilelang.language.eager.utils")
    for function in ast.walk(ast.parse(text)):
        if isinstance(function, ast.FunctionDef):
            cut = Cut(text, function)
            lines = range(cut.first, (function.end_lineno or 0) + 1)
            theirs = eager._remove_leading_ident("\n".join(map(cut.written, lines))).split("\n")
            ours = [cut.rest(line) if len(cut.written(line)) >= cut.indent else cut.written(line) for line in lines]
            assert ours == theirs


def test_what_is_part_of_a_string_is_not_moved() -> None:
    for quotes in ('"""', 'f"""'):
        text = f'def outer():\n    def main():\n        s = {quotes}a\nbcdef"""\n# comment\n        return s\n'
        (function,) = (one for one in ast.walk(ast.parse(text)) if getattr(one, "name", "") == "main")
        assert isinstance(function, ast.FunctionDef)
        cut = Cut(text, function)
        assert (cut.left, cut.breaking(), cut.changing()) == ((4, 5), (5,), (4, 5)[:1])
        assert indented(cut, (4,)) == ()
        (fix,) = indented(cut, cut.breaking())
        assert applied(text, fix.edits) == text.replace("# comment", "        # comment")


def test_in_a_notebook_it_stands_in_its_cell(tmp_path: Path) -> None:
    pytest.importorskip("tilelang")
    imports, kernel = KERNEL.split("\n\n\n", 1)
    cells = [{"cell_type": "code", "metadata": {}, "source": one} for one in (imports, kernel)]
    path = tmp_path / "left.ipynb"
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}))
    (finding,) = run("lint", path, "--format", "json").json["findings"]
    assert (finding["code"], finding["cell"], finding["line"]) == ("TS150", 2, LEFT - 5 + 1)
    assert finding["fixes"] == []
