"""Pictures of layouts: text, SVG and JSON say the same of each element."""

from __future__ import annotations

import itertools
from xml.etree import ElementTree

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilescope.schemas import SCHEMAS
from tilescope_passdiff.render.layout import layout_json, layout_svg, layout_text
from tilescope_passdiff.render.layout.units import units_of
from tilescope_trace.layouts.cells import Grid, grid_of
from tilescope_trace.model import Buffer, Layout, LayoutMap

CUDA = "cuda:sm_90a"
SVG = "{http://www.w3.org/2000/svg}"


def fragment(replicate: int = 1) -> Buffer:
    thread = "i % 8 * 4 + j % 8 // 2" + (" + 32 * rep" if replicate > 1 else "")
    where = LayoutMap((16, 16), (8,), ("i // 8 * 4 + j // 8 * 2 + j % 2",), thread, replicate)
    layout = Layout("fragment", "8 registers/thread over 32 threads", None, 8, replicate, 32, None, where)
    return Buffer("C_local", 3, 1, (16, 16), "float32", "local.fragment", layout=layout)


def swizzled() -> Buffer:
    where = LayoutMap((8, 64), (8, 64), ("i", "(j // 8 ^ i) * 8 + j % 8"))
    layout = Layout("shared", "swizzle 128B Sw<3,4,3>", "128B", map=where)
    return Buffer("A_shared", 3, 1, (8, 64), "float16", "shared.dyn", layout=layout)


def test_text_shows_the_thread_of_each_element() -> None:
    picture = layout_text(grid_of(fragment(), CUDA, slice(0, 2)), 80).plain.splitlines()
    assert picture[0] == "C_local [16, 16] float32 local.fragment: 8 registers/thread over 32 threads"
    assert picture[1] == "the thread that holds each element; rows 0–1 of 16"
    assert picture[3].split() == ["0", "│", *["0", "1", "2", "3", "0", "1", "2", "3"]]
    assert picture[4].split() == ["1", "│", *["4", "5", "6", "7", "4", "5", "6", "7"]]


def test_text_shows_how_a_swizzle_exchanges_banks() -> None:
    picture = layout_text(grid_of(swizzled(), CUDA), 80).plain.splitlines()
    assert picture[1] == "the first bank of each 16 bytes (32 banks of 4 bytes)"
    assert [int(word) for word in picture[4].split()[2:]] == [4, 0, 12, 8, 20, 16, 28, 24]


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_text_fits_the_terminal_and_says_what_it_leaves_out(width: int) -> None:
    picture = layout_text(grid_of(fragment(), CUDA), width).plain.splitlines()
    assert all(len(line) <= width for line in picture[2:])
    cut = "columns 0–" in picture[1]
    assert cut == (len(picture[3].split()) - 2 < 8)


def test_memory_without_banks_is_told_by_places() -> None:
    picture = layout_text(grid_of(swizzled(), "ascend", slice(0, 1)), 80).plain.splitlines()
    assert picture[1] == "the place in memory of each 32 bytes, in elements; rows 0–0 of 8"
    assert layout_json(grid_of(swizzled(), "ascend", slice(1, 2), slice(8, 9)))["cells"] == [[{"address": 128}]]


def test_copies_are_counted() -> None:
    picture = layout_text(grid_of(fragment(replicate=2), CUDA, slice(0, 1)), 120).plain
    assert "0+1" in picture


@given(st.sampled_from([fragment(), fragment(2), swizzled()]), st.integers(0, 7), st.integers(1, 16))
def test_units_cover_each_row_once(buffer: Buffer, row: int, width: int) -> None:
    grid = grid_of(buffer, CUDA, slice(row, row + 1), slice(0, width))
    for units in units_of(grid):
        covered = list(itertools.chain(*(range(unit.at, unit.at + unit.width) for unit in units)))
        assert covered == list(range(len(grid.cells[0])))


def shown(grid: Grid) -> list[tuple[str, str]]:
    """(label, title) of each rectangle of the SVG."""
    root = ElementTree.fromstring(layout_svg(grid))
    return [
        (group.findtext(f"{SVG}text", ""), group.findtext(f"{SVG}title", "")) for group in root.findall(f"{SVG}g")
    ]


def test_svg_says_all_of_each_element() -> None:
    assert shown(grid_of(fragment(), CUDA, slice(9, 10), slice(2, 4))) == [("5", "[9, 2–3] thread 5, registers 4, 5")]
    assert shown(grid_of(swizzled(), CUDA, slice(1, 2), slice(8, 16))) == [("0", "[1, 8–15] address 128, banks 0–3")]


def test_svg_is_as_wide_as_its_words() -> None:
    root = ElementTree.fromstring(layout_svg(grid_of(swizzled(), CUDA, slice(0, 1), slice(0, 8))))
    assert int(root.get("width", "0")) > 400


def test_json_is_of_its_schema() -> None:
    made = layout_json(grid_of(fragment(replicate=2), CUDA, slice(9, 10), slice(2, 3)))
    jsonschema.validate(made, SCHEMAS["layout"]())
    assert made["cells"] == [[{"threads": [5, 37], "register": 4}]]
    assert layout_json(grid_of(swizzled(), CUDA, slice(1, 2), slice(8, 9)))["cells"] == [
        [{"address": 128, "bank": 0}]
    ]
