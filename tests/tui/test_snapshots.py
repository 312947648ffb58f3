"""Pictures of the screens, compared with those that were looked at; TILESCOPE_SNAPSHOTS=write makes them anew.

Kept is the text with its colours and weights, not the SVG itself: that one changes with every version of Rich.
"""

from __future__ import annotations

import os
import string
from collections.abc import Iterable
from pathlib import Path

import pytest
from rich.segment import Segment
from rich.style import Style

FOLDER = Path(__file__).parent / "snapshots"
SIZES = [(80, 24), (120, 40), (200, 60)]
SCENES = {
    "open": (),
    "read": ("n", "n", "n", "n", "tab", "right_square_bracket"),
    "split": ("n", "n", "n", "n", "d", "f"),
    "facts": ("i", "tab"),
    "everywhere": ("S", *"tma_load"),
}


LETTERS = string.ascii_letters + string.digits


def picture(lines: Iterable[Iterable[Segment]]) -> str:
    """Each line of text, below it the lengths and names of its looks (``a12b3``: 12 cells of look a, 3 of b), and at
    the end what the looks are."""
    looks: dict[str, str] = {}
    drawn = []
    for line in lines:
        text = ""
        runs: list[tuple[str, int]] = []
        for segment in line:
            look = "plain" if segment.style is None else _look(segment.style)
            mark = looks.setdefault(look, LETTERS[len(looks) % len(LETTERS)])
            text += segment.text
            before = runs.pop()[1] if runs and runs[-1][0] == mark else 0
            runs.append((mark, before + segment.cell_length))
        drawn += [text.rstrip(), "~" + "".join(f"{mark}{cells}" for mark, cells in runs)]
    return "\n".join([*drawn, *(f"{mark} {look}" for look, mark in looks.items())]) + "\n"


def _look(style: Style) -> str:
    colours = [colour.get_truecolor().hex if colour is not None else "" for colour in (style.color, style.bgcolor)]
    weights = [name for name in ("bold", "italic", "underline", "reverse", "dim") if getattr(style, name)]
    return " ".join([f"{colours[0]} on {colours[1]}", *weights])


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_the_screens_are_those_that_were_looked_at(gemm, watch, size):
    for name, keys in SCENES.items():
        async with watch(gemm, size=size) as seen:
            await seen.press(*keys)
            found = picture(seen.lines_drawn())
        path = FOLDER / f"{name}-{size[0]}x{size[1]}.txt"
        if os.environ.get("TILESCOPE_SNAPSHOTS") == "write":
            FOLDER.mkdir(exist_ok=True)
            path.write_text(found, encoding="utf-8")
        assert found == path.read_text(encoding="utf-8"), f"{path.name}; if it is meant, write it anew"
