"""The picture of a buffer's layout in markdown."""

from __future__ import annotations

import base64

from tilescope_passdiff.render.layout import layout_svg, layout_text
from tilescope_trace.errors import UsageError
from tilescope_trace.layouts.cells import grid_of
from tilescope_trace.model import Buffer

ROWS = slice(0, 16)
COLUMNS = (64, 32, 16)
"""Columns of a picture, fewer where so many do not fit."""
WIDTH = 76
"""Columns of text that a hover shows without wrapping."""
WHOLE = 10_000
_HEAD = 2
"""Lines of words above a picture, which may be longer than it is wide."""
LARGEST = 60_000
"""Characters of an image: editors cut longer hovers off."""


def picture(buffer: Buffer, target: str, *, image: bool) -> str:
    """The first rows of the layout, as an ``image`` where the client shows some and it is not too large, else as
    text; empty where no cell is known. Linear memory has no picture worth looking at."""
    layout = buffer.layout
    if layout is None or (layout.kind == "shared" and layout.swizzle == "none"):
        return ""
    try:
        grids = [grid_of(buffer, target, ROWS, slice(0, columns)) for columns in COLUMNS]
        if image:
            drawn = (base64.b64encode(layout_svg(grid).encode()).decode("ascii") for grid in grids)
            if (data := next((one for one in drawn if len(one) <= LARGEST), None)) is not None:
                return f"![layout of {buffer.name}](data:image/svg+xml;base64,{data})"
        texts = [layout_text(grid, WHOLE).plain.split("\n") for grid in grids]
    except UsageError:
        return ""
    fitting = (text for text in texts if max(map(len, text[_HEAD:])) <= WIDTH)
    lines = next(fitting, None) or layout_text(grids[-1], WIDTH).plain.split("\n")
    return "\n".join(["```text", *lines, "```"])
