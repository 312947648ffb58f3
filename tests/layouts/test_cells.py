"""Cells of layouts: every one of them is where the compiler's own layout object puts it."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tvm import arith, tirx

from tilescope_trace.errors import UsageError
from tilescope_trace.layouts.cells import grid_of
from tilescope_trace.model import Buffer, Layout, LayoutMap

from .conftest import Inferred

Infer = Callable[[str, str], dict[str, Inferred]]
ALL = slice(None)
CUDA = "cuda:sm_90a"
ANALYZER = arith.Analyzer()
PLACES = [
    ("gemm.py", "cuda:sm_90a"),  # wgmma, TMA swizzles
    ("gemm.py", "cuda:sm_80"),  # mma
    ("gemm.py", "hip:gfx942"),  # mfma, wavefronts of 64
    ("ascend_gemm.py", "ascend"),
]


@pytest.mark.parametrize(("file", "target"), PLACES, ids=lambda value: str(value).replace(":", "-"))
def test_every_cell_is_where_the_compiler_puts_it(inferred: Infer, file: str, target: str) -> None:
    found = inferred(file, target)
    assert len(found) >= 3
    for name, (buffer, layout) in found.items():
        assert buffer.layout is not None
        assert buffer.layout.map is not None, name
        sizes = [int(size) for size in layout.get_input_shape()]
        leading = [0] * max(0, len(sizes) - 2)
        grid = grid_of(buffer, target, ALL, ALL, leading)
        assert (grid.rows, grid.columns) == (sizes[-2] if len(sizes) > 1 else 1, sizes[-1])
        for row, column in itertools.product(range(grid.rows), range(grid.columns)):
            indices = [*leading, row, column][-len(sizes) :]
            cell = grid.cells[row][column]
            assert cell.place == place_in(layout, indices), (name, indices)
            assert cell.threads == threads_of(layout, indices), (name, indices)


def place_in(layout: Any, indices: list[int]) -> int:
    """Row-major place of an element that the layout object's own index gives."""
    outputs = [int(size) for size in layout.get_output_shape()]
    place = 0
    for index, size in zip(layout.get_forward_index(), outputs, strict=True):
        place = place * size + computed(index, layout, indices)
    return place


def threads_of(layout: Any, indices: list[int]) -> tuple[int, ...]:
    """All threads that hold an element by the layout object's thread expression."""
    if not hasattr(layout, "replicate_size"):
        return ()
    copies = range(int(layout.replicate_size))
    return tuple(dict.fromkeys(computed(layout.forward_thread, layout, indices, copy) for copy in copies))


def computed(expression: Any, layout: Any, indices: list[int], copy: int = 0) -> int:
    """The compiler's own value of an index expression for one element."""
    variables = [one for one in layout.get_forward_vars() if str(one.name) != "_rep"]
    values = {
        one: tirx.const(copy if str(one.name) == "_rep" else indices[[v.name for v in variables].index(one.name)])
        for one in tirx.analysis.undefined_vars(expression)
    }
    return int(ANALYZER.simplify(tirx.stmt_functor.substitute(expression, values)))


def test_swizzled_rows_take_all_banks_in_turn(inferred: Infer) -> None:
    buffer = inferred("gemm.py", "cuda:sm_90a")["A_shared"].buffer
    assert buffer.layout is not None
    assert buffer.layout.swizzle == "128B"
    grid = grid_of(buffer, CUDA, slice(0, 8), slice(0, 1))
    assert sorted(grid.bank(row[0]) for row in grid.cells) == [0, 4, 8, 12, 16, 20, 24, 28]


def test_copies_name_each_thread_that_holds_an_element(inferred: Infer) -> None:
    buffer = inferred("gemm.py", "cuda:sm_90a")["largest"].buffer
    assert buffer.layout is not None
    assert buffer.layout.replicate == 4
    assert grid_of(buffer, CUDA).cells[0][1].threads == (4, 5, 6, 7)


def shared(index: tuple[str, ...], inputs: tuple[int, ...] = (4, 4)) -> Buffer:
    layout = Layout(kind="shared", summary="odd", map=LayoutMap(inputs, inputs, index))
    return Buffer("odd", 1, 1, inputs, "float32", "shared.dyn", layout=layout)


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')",
        "i.real",
        "i ** 9999999",
        "(1 << i)",
        "[i for i in (1,)]",
        "open(i, j)",
        "lambda: i",
        "min(i)",
        "1.5",
        "",
        "i if",
        "k",
        "(" * 3000,
    ],
)
def test_formulas_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="layout of odd is damaged"):
        grid_of(shared((text, "j")), CUDA)


def test_a_formula_that_cannot_be_computed_is_damage() -> None:
    with pytest.raises(UsageError, match="damaged"):
        grid_of(shared(("i // (j - j)", "j")), CUDA)


def test_places_outside_a_buffer_are_refused() -> None:
    plain = shared(("i", "j", "k"), (2, 4, 4))
    assert grid_of(plain, CUDA, leading=(1,)).cells[0][0].place == 16
    with pytest.raises(UsageError, match=r"leading extents are \[2\]"):
        grid_of(plain, CUDA, leading=(2,))
    with pytest.raises(UsageError, match="no cells in the given rows"):
        grid_of(plain, CUDA, rows=slice(9, 12))


def test_a_buffer_without_layout_has_no_cells() -> None:
    with pytest.raises(UsageError, match="no layout of odd is known"):
        grid_of(replace(shared(("i", "j")), layout=None), CUDA)


def test_row_major_shared_memory_needs_no_formula() -> None:
    plain = replace(shared(("i", "j")), layout=Layout(kind="shared", summary="row-major, no swizzle", swizzle="none"))
    assert [cell.place for cell in grid_of(plain, CUDA).cells[1]] == [4, 5, 6, 7]
