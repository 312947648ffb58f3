"""Cells of a notebook as one Python text, and back."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilescope_trace.source.notebooks import join, python_lines
from tilescope_trace.text_lines import lines_of


@pytest.mark.parametrize(
    ("cell", "python"),
    [
        ("%matplotlib inline\nx = 1", ["", "x = 1"]),
        ("!pip install 'a (b\nx = 1", ["", "x = 1"]),
        ("files = !ls\nfiles", ["files = None", "files"]),
        ("data = %sql select 1\ndata", ["data = None", "data"]),
        ("if x:\n    %reload_ext q\ny = 2", ["if x:", "    pass", "y = 2"]),
        ("matmul?\nmatmul.main??\n?matmul", ["", "", ""]),
        ("!a \\\n  b \\\n  c\nx = 1", ["", "", "", "x = 1"]),
        ("%%time\nx = 1", ["", "x = 1"]),
        ("\n%%bash\nif [ x ]; then\nfi", ["", "", "", ""]),
        ("y = (1\n% 3)", ["y = (1", "% 3)"]),
        ("s = '''\n%no magic\n!none\n'''\n%magic", ["s = '''", "%no magic", "!none", "'''", ""]),
        ("", [""]),
    ],
)
def test_what_only_ipython_understands_gives_way(cell: str, python: list[str]) -> None:
    assert python_lines(cell) == python


@given(st.lists(st.text(alphabet="ab=%!?()'\\ \n\r#:", max_size=40), max_size=6))
def test_every_line_has_one_cell_and_keeps_its_number(cells: list[str]) -> None:
    joined = join(cells)
    lines = lines_of(joined.text)
    assert sum(joined.counts) == (len(lines) if cells else 0)
    for number, cell in enumerate(cells):
        assert joined.counts[number] == len(lines_of(cell))
        for line in range(1, joined.counts[number] + 1):
            assert joined.place(joined.starts[number] + line - 1) == (number, line)


@given(st.lists(st.sampled_from(["x = 1", "def f():\n    return 2", "# nothing", "y = [\n  3,\n]", "%magic", "a?"])))
def test_cells_that_ipython_runs_make_python(cells: list[str]) -> None:
    ast.parse(join(cells).text)
