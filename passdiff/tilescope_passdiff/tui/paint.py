"""From a line of text and what is to be seen in it to styled segments."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style

StyledSpan = tuple[int, int, Style]

_UNSEEN = (*range(0x7F, 0xA0), *range(0x2028, 0x202F), *range(0x2066, 0x206A), *range(0xD800, 0xE000))
"""Control characters above ASCII, what changes the direction or the line of the text after it, lone surrogates."""
_CONTROLS = {code: 0x2400 + code for code in range(32)} | dict.fromkeys(_UNSEEN, 0xFFFD)


def clean(line: str) -> str:
    """A line without tabs and control characters: a text from elsewhere must not steer the terminal."""
    return line.expandtabs(4).translate(_CONTROLS)


def lines_of(text: str) -> list[str]:
    """The lines of a text as they are counted everywhere (line feeds only), made safe to show."""
    lines = clean_text(text).split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return lines


def clean_text(text: str) -> str:
    """``clean`` for a whole text: fast where there is nothing to clean."""
    text = text.replace("\r\n", "\n")
    if text.isascii() and text.replace("\n", "").isprintable():
        return text
    return "\n".join(map(clean, text.split("\n")))


def cells(text: str) -> int:
    """Cells that a clean text takes: wide characters take two."""
    return len(text) if text.isascii() else cell_len(text)


def shortened(text: str, room: int) -> str:
    """``text`` in at most ``room`` cells, with … where it is cut off."""
    return text if cells(text) <= room else set_cell_size(text, max(0, room - 1)).rstrip() + "…" * (room > 0)


def shorten(label: str, room: int) -> str:
    """``label`` in ``room`` cells. Left out is what is before its last five characters: they hold ``#2``."""
    if cells(label) <= room or room < 10:
        return shortened(label, room)
    end = label[-5:]
    return shortened(label, room - cells(end)) + end


def wrapped(lines: Iterable[str], room: int, most: int) -> list[str]:
    """Clean ``lines`` folded between words to ``room`` cells; where there are more than ``most``, the last of these
    ends with an ellipsis."""
    folded = [part for line in lines for part in textwrap.wrap(line, max(1, room)) or [""]]
    if len(folded) <= most:
        return folded
    last = folded[most - 1]
    return [*folded[: most - 1], f"{last} …" if cells(last) + 2 <= room else shortened(f"{last} …", room)]


def filled(text: str, room: int, filler: str = " ") -> str:
    """``text`` in just ``room`` cells: cut off or filled up."""
    text = shortened(text, room)
    return text + filler * (room - cells(text))


def paint(text: str, base: Style, layers: Sequence[Iterable[StyledSpan]]) -> list[Segment]:
    """``text`` in ``base``, with each layer's spans (sorted, disjoint) laid over the layers before it."""
    runs: list[StyledSpan] = [(0, len(text), base)]
    for layer in layers:
        runs = _overlay(runs, layer)
    return [Segment(text[start:end], style) for start, end, style in runs if start < end]


def _overlay(runs: list[StyledSpan], layer: Iterable[StyledSpan]) -> list[StyledSpan]:
    result: list[StyledSpan] = []
    spans = iter(layer)
    span = next(spans, None)
    for start, end, style in runs:
        at = start
        while span is not None and span[0] < end:
            if span[0] > at:
                result.append((at, span[0], style))
                at = span[0]
            stop = min(span[1], end)
            if stop > at:
                result.append((at, stop, style + span[2]))
                at = stop
            if span[1] > end:
                break
            span = next(spans, None)
        if at < end:
            result.append((at, end, style))
    return result
