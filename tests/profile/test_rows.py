"""Rows of slices: whatever a profiler wrote, what is drawn adds up to what there is."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from tilescope_passdiff.tui.lanes import Known, View, around, column_of, ruler, runs
from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.model import NONE
from tilescope_trace.profile.rows import Rows, rows_of

SPANS = st.lists(st.tuples(st.integers(0, 500), st.integers(0, 80), st.sampled_from(["work", "wait"])), max_size=60)


def made(spans: list[tuple[int, int, str]]) -> Rows:
    build = ProfileBuilder(Path("trace.json"), "a test")
    lane = build.lane("lane", "lane", "stream", NONE, 0)
    for start, duration, name in spans:
        build.slice(lane, name, 10_000 + start, duration)
    return rows_of(build.finish("nothing"))


@settings(deadline=None)
@given(SPANS)
def test_every_slice_lies_in_one_row_without_overlaps(spans: list[tuple[int, int, str]]) -> None:
    rows = made(spans)
    found = [index for row in rows.of(0) for index in row.slices]
    assert sorted(found) == list(range(len(spans)))
    for row in rows.of(0):
        assert all(end <= start for end, start in zip(row.ends, row.starts[1:], strict=False))
        assert row.busy[-1] == sum(end - start for start, end in zip(row.starts, row.ends, strict=True))
    for index in found:
        level, at = rows.place_of(index)
        assert rows.of(0)[level].slices[at] == index


@settings(deadline=None)
@given(SPANS, st.integers(0, 500), st.integers(1, 700), st.integers(1, 90))
def test_columns_are_drawn_where_slices_are(
    spans: list[tuple[int, int, str]], start: int, length: int, columns: int
) -> None:
    view = View(start, start + length)
    for row in made(spans).of(0):
        drawn = {column for run in runs(row, view, columns) for column in range(run.first, run.end)}
        assert drawn <= set(range(columns))
        for at in row.between(view.start, view.end - 1):
            first, last = (column_of(time, view, columns) for time in (row.starts[at], row.ends[at] - 1))
            few = len(row.between(view.start, view.end)) <= columns
            if few and row.ends[at] > row.starts[at] >= view.start:
                assert {column for column in range(first, last + 1) if column < columns} <= drawn


@settings(deadline=None)
@given(st.integers(1, 10**12), st.integers(0, 10**12), st.sampled_from([0.25, 0.5, 2.0, 8.0]))
def test_views_stay_inside_of_what_there_is(length: int, center: int, factor: float) -> None:
    whole = View(0, length)
    for view in (whole.zoomed(factor, center, whole), around(center, center + 7, whole), whole.moved(center, whole)):
        assert view.start >= 0
        assert view.end <= max(length, view.length)
    assert all(0 <= column <= 100 for column, _ in ruler(whole, 100))


@settings(deadline=None)
@given(SPANS, st.integers(1, 300), st.lists(st.integers(0, 500), min_size=1, max_size=5), st.integers(1, 20))
def test_panning_draws_what_is_drawn_at_once(
    spans: list[tuple[int, int, str]], length: int, starts: list[int], columns: int
) -> None:
    for row in made(spans).of(0):
        known: Known = {}
        for start in starts:
            view = View(start, start + length)
            assert runs(row, view, columns, known) == runs(row, view, columns)
