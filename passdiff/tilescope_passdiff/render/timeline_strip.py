"""A strip of a timeline as SVG: the lanes of a kernel's launches, each a row, darker where it is busy longer."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from tilescope_trace.profile.model import NONE, Profile

from .timeline import time_text

WIDTH, ROW, LABEL, MOST_ROWS = 1000, 16, 190, 40
_COLUMNS = WIDTH - LABEL
_SHADES = 4
"""Steps of darkness: a column of pixels that is busy less than three eighths of its time has the lightest."""
_LEAST = 0.01
"""What something shorter than a column counts for at least, so that it is seen."""


@dataclass(frozen=True)
class Strip:
    """The picture, and how many lanes had no room in it."""

    svg: str
    left_out: int


def timeline_strip(profile: Profile, launches: Sequence[int]) -> Strip | None:
    """The slices of ``launches``, or these themselves where nothing lies in them; None where there is neither."""
    spans = _spans(profile, frozenset(launches))
    if not spans:
        return None
    first = min(start for found in spans.values() for start, _ in found)
    last = max(end for found in spans.values() for _, end in found)
    lanes = sorted(spans)
    shown = lanes[:MOST_ROWS]
    rows = [
        _row(profile, lane, spans[lane], number, first, max(last - first, 1)) for number, lane in enumerate(shown)
    ]
    height = ROW * len(shown) + 18
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        'font-family="ui-monospace, monospace" font-size="11">'
        f'{"".join(rows)}<text class="dim" x="{LABEL}" y="{height - 4}">0</text>'
        f'<text class="dim" x="{WIDTH}" y="{height - 4}" text-anchor="end">{escape(time_text(last - first))}</text>'
        "</svg>"
    )
    return Strip(svg, len(lanes) - len(shown))


def _spans(profile: Profile, launches: frozenset[int]) -> Mapping[int, list[tuple[int, int]]]:
    """Starts and ends on each lane: of what lies in the launches, else of the launches."""
    inside: dict[int, list[tuple[int, int]]] = defaultdict(list)
    itself: dict[int, list[tuple[int, int]]] = defaultdict(list)
    columns = profile.slices
    for index, launch in enumerate(columns.launch):
        if launch == NONE or launch not in launches:
            continue
        start, duration, lane = columns.start_ns[index], columns.duration_ns[index], columns.lane[index]
        whole = profile.launches[launch]
        is_launch = lane == whole.lane and start == whole.start_ns
        (itself if is_launch else inside)[lane].append((start, start + duration))
    return inside or itself


def _row(profile: Profile, lane: int, spans: Iterable[tuple[int, int]], number: int, first: int, length: int) -> str:
    parent = profile.lanes[lane].parent
    title = profile.lanes[lane].title
    label = f"{profile.lanes[parent].title} {title}" if parent != NONE else title
    shades = _shaded(spans, first, length)
    top = number * ROW
    boxes = "".join(
        f'<rect x="{LABEL + start}" y="{top + 2}" width="{end - start}" height="{ROW - 4}" fill="#2f81f7" '
        f'fill-opacity="{shade / _SHADES:g}"/>'
        for start, end, shade in shades
    )
    return (
        f'<text class="head" x="0" y="{top + 12}">{escape(label[-28:])}<title>{escape(label)}</title></text>{boxes}'
    )


def _shaded(spans: Iterable[tuple[int, int]], first: int, length: int) -> list[tuple[int, int, int]]:
    """Runs of columns of one shade: first column, column behind the last, shade (1 to `_SHADES`)."""
    busy = [0.0] * _COLUMNS
    scale = _COLUMNS / length
    reached = 0.0
    for start, end in sorted(spans):
        begin, right = (start - first) * scale, (end - first) * scale
        seen = min(int(begin), _COLUMNS - 1)
        busy[seen] = max(busy[seen], _LEAST)
        left, reached = max(begin, reached), max(reached, right)
        at = int(left)
        while at < min(right, _COLUMNS):
            busy[at] += min(right, at + 1) - max(left, at)
            at += 1
    runs: list[tuple[int, int, int]] = []
    for column, share in enumerate(busy):
        shade = min(_SHADES, max(1, round(share * _SHADES))) if share else 0
        if runs and runs[-1][1] == column and runs[-1][2] == shade:
            runs[-1] = (runs[-1][0], column + 1, shade)
        elif shade:
            runs.append((column, column + 1, shade))
    return runs
