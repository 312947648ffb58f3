"""Two profiles of a kernel as text: lines, stamps and lanes, before and after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tilescope_trace.profile.versus.gather import Versus
from tilescope_trace.profile.versus.lanes import LaneDifference
from tilescope_trace.profile.versus.sites import SiteDifference

from .terminal.controls import visible
from .timeline import time_text

MOST_LANES = 12


def versus_text(found: Versus, most: int) -> RenderableType:
    """Tables of what was compared, at most ``most`` rows each (0: all), and what was not."""
    return Group(*_parts(found, most))


def _parts(found: Versus, most: int) -> Iterator[RenderableType]:
    if found.duration_ns_a is not None and found.duration_ns_b is not None:
        change = found.duration_ns_b / found.duration_ns_a - 1 if found.duration_ns_a else 0.0
        times = f"{time_text(found.duration_ns_a)} before, {time_text(found.duration_ns_b)} after"
        yield Text(f"profiles: {times} ({change:+.1%})", "bold")
    if found.lines:
        yield _lines(found, most)
    if found.stamps:
        yield _stamps(found, most)
    changed = [lane for lane in found.lanes if lane.busy_a is not None and lane.busy_b is not None]
    if changed:
        yield _lanes(sorted(changed, key=lambda lane: -abs((lane.busy_b or 0) - (lane.busy_a or 0)))[:MOST_LANES])
    if len(changed) > MOST_LANES:
        yield Text(f"{len(changed) - MOST_LANES} more lanes, which changed less (all with --format json)", "dim")
    yield from (Text(visible(missing), "yellow") for missing in found.missing)


def _lines(found: Versus, most: int) -> Table:
    table = _table("before", "after", "change", "stall before", "stall after", "line")
    for one in found.lines[: most or None]:
        number = one.b.line if one.b is not None else f"({one.a.line})" if one.a is not None else ""
        table.add_row(
            f"{one.share_a:.1%}" if one.a is not None else "",
            f"{one.share_b:.1%}" if one.b is not None else "",
            _points(one.change),
            _words(one.stall_a),
            _words(one.stall_b),
            Text(f"{number}  {visible(one.text)}", no_wrap=True, overflow="ellipsis"),
        )
    return table


def _stamps(found: Versus, most: int) -> Table:
    table = _table("before", "after", "change", "cycles before", "cycles after", "warps of")
    for one in found.stamps[: most or None]:
        table.add_row(
            "" if one.share_a is None else f"{one.share_a:.1%}",
            "" if one.share_b is None else f"{one.share_b:.1%}",
            _points((one.share_b or 0.0) - (one.share_a or 0.0)),
            "" if one.cycles_a is None else f"{one.cycles_a:,}",
            "" if one.cycles_b is None else f"{one.cycles_b:,}",
            _stamp(one),
        )
    return table


def _stamp(one: SiteDifference) -> str:
    """``consumer, line 28, waits for data``."""
    place = f"line {one.line}" if one.line else "no known line"
    waiting = "" if one.kind != "wait" else f", waits for {one.waits_for}" if one.waits_for else ", waits"
    return f"{one.side or 'the kernel'}, {place}{waiting}"


def _lanes(lanes: Sequence[LaneDifference]) -> Table:
    table = _table("busy before", "busy after", "change", "slices before", "slices after", "lane")
    for lane in lanes:
        table.add_row(
            f"{lane.busy_a:.1%}",
            f"{lane.busy_b:.1%}",
            _points((lane.busy_b or 0.0) - (lane.busy_a or 0.0)),
            str(lane.slices_a),
            str(lane.slices_b),
            Text(visible(" / ".join(lane.path)), no_wrap=True, overflow="ellipsis"),
        )
    return table


def _table(*headers: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for header in headers[:-1]:
        table.add_column(header, justify="right", no_wrap=True)
    table.add_column(headers[-1])  # what may be wrapped gives way first where the terminal is narrow
    return table


def _points(change: float) -> str:
    return f"{100 * change:+.1f}"


def _words(stall: str | None) -> str:
    return (stall or "").replace("_", " ")
