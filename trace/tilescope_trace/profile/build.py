"""Putting a profile together while its file is read: lanes found by key, names kept once, columns filled."""

from __future__ import annotations

import math
from array import array
from collections.abc import Hashable, Mapping
from dataclasses import replace
from pathlib import Path

import msgspec

from .model import (
    NONE,
    Counter,
    Device,
    Flows,
    Frames,
    Lane,
    LaneKind,
    Launch,
    Metric,
    Note,
    PartMetrics,
    Profile,
    Samples,
    Slices,
)


class ProfileBuilder:
    """Collects what an importer reads; ``finish`` makes the Profile. Keys of lanes are the importer's own."""

    def __init__(self, path: Path, format_name: str) -> None:
        self.path, self.format = path, format_name
        self.devices: list[Device] = []
        self.launches: list[Launch] = []
        self.lanes: list[Lane] = []
        self.slices, self.flows = Slices(), Flows()
        columns = self.slices
        self._append = (
            columns.start_ns.append, columns.duration_ns.append, columns.lane.append, columns.name.append,
            columns.detail.append, columns.place.append, columns.launch.append,
        )  # fmt: skip
        """Bound once: a large trace adds millions of slices."""
        arrows = self.flows
        self._append_arrow = (
            arrows.start_ns.append, arrows.start_lane.append, arrows.end_ns.append, arrows.end_lane.append,
            arrows.name.append,
        )  # fmt: skip
        self.samples: list[Samples] = []
        self.parts: list[PartMetrics] = []
        self.sources: dict[str, str] = {}
        self.notes: list[Note] = []
        self._lane_of: dict[Hashable, int] = {}
        self._texts: dict[str, int] = {}
        self._places: dict[Frames, int] = {}
        self._counters: dict[tuple[str, int], tuple[str, array[int], array[float]]] = {}

    def text(self, text: str) -> int:
        """Index of ``text`` among ``Profile.texts``."""
        return self._texts.setdefault(text, len(self._texts))

    def place(self, frames: Frames) -> int:
        """Index of an inline stack among ``Profile.places``; NONE for an empty one."""
        return self._places.setdefault(frames, len(self._places)) if frames else NONE

    def lane(
        self,
        key: Hashable,
        title: str,
        kind: LaneKind,
        parent: int = NONE,
        number: int | None = None,
        clock: str = "",
    ) -> int:
        """Index of the lane with ``key``, made with the other arguments when it is first asked for."""
        index = self._lane_of.get(key)
        if index is None:
            index = self._lane_of[key] = len(self.lanes)
            self.lanes.append(Lane(title, kind, parent, number, clock))
        return index

    def retitle(self, key: Hashable, title: str) -> None:
        """Give the lane with ``key``, if there is one, another title: metadata may follow the events."""
        index = self._lane_of.get(key)
        if index is not None and title:
            self.lanes[index] = replace(self.lanes[index], title=title)

    def slice(
        self,
        lane: int,
        name: str,
        start_ns: int,
        duration_ns: int,
        detail: str | None = None,
        place: int = NONE,
        launch: int = NONE,
    ) -> int:
        """Add a slice; its index."""
        start_column, duration_column, lane_column, name_column, detail_column, place_column, launch_column = (
            self._append
        )
        start_column(start_ns)
        duration_column(duration_ns)
        lane_column(lane)
        name_column(self._texts.setdefault(name, len(self._texts)))
        detail_column(NONE if detail is None else self.text(detail))
        place_column(place)
        launch_column(launch)
        return len(self.slices.start_ns) - 1

    def launch(self, launch: Launch) -> int:
        """Add a launch, and its slice where its lane and times are known; its index."""
        index = len(self.launches)
        self.launches.append(launch)
        if launch.lane != NONE and launch.start_ns is not None and launch.duration_ns is not None:
            self.slice(launch.lane, launch.name, launch.start_ns, launch.duration_ns, launch=index)
        return index

    def flow(self, name: str, start_lane: int, start_ns: int, end_lane: int, end_ns: int) -> None:
        """Add an arrow."""
        start_column, start_lane_column, end_column, end_lane_column, name_column = self._append_arrow
        start_column(start_ns)
        start_lane_column(start_lane)
        end_column(end_ns)
        end_lane_column(end_lane)
        name_column(self._texts.setdefault(name, len(self._texts)))

    def count(self, name: str, time_ns: int, value: float, unit: str = "", lane: int = NONE) -> None:
        """Add a value of a counter; one that is not finite is left out, which is noted."""
        if not math.isfinite(value):
            self.note(f"{name} has values that are no finite number; they are left out")
            return
        known = self._counters.get((name, lane))
        if known is None:
            known = self._counters[name, lane] = unit, array("q"), array("d")
        known[1].append(time_ns)
        known[2].append(value)

    def note(self, message: str, subject: str | None = None) -> None:
        """Add what a reader must know, once."""
        note = Note(message, subject)
        if note not in self.notes:
            self.notes.append(note)

    def part(self, part: str, launch: int, metrics: Mapping[str, Metric]) -> None:
        """Add metrics of one part of a launch."""
        self.parts.append(PartMetrics(part, launch, metrics))

    def _without_negative_lengths(self) -> None:
        lengths = self.slices.duration_ns
        wrong = [index for index, length in enumerate(lengths) if length < 0] if min(lengths, default=0) < 0 else []
        for index in wrong:
            lengths[index] = 0
        untimed = [at for at, one in enumerate(self.launches) if one.duration_ns is not None and one.duration_ns < 0]
        for at in untimed:
            self.launches[at] = msgspec.structs.replace(self.launches[at], duration_ns=None)
        for count, words in ((len(wrong), "slices, shown as moments"), (len(untimed), "launches, taken as unknown")):
            if count:
                self.note(f"durations below zero in the file, of {words}: {count}")

    def finish(self, nothing: str) -> Profile:
        """The profile; ``nothing`` says why there is nothing to show, should that be so. What ends before it begins
        has no length, which is noted: a slice is drawn as a moment, and how long a launch took is unknown."""
        self._without_negative_lengths()
        empty = not (self.launches or len(self.slices) or self.samples or self._counters or self.parts)
        return Profile(
            path=self.path,
            format=self.format,
            devices=tuple(self.devices),
            launches=tuple(self.launches),
            lanes=tuple(self.lanes),
            slices=self.slices,
            flows=self.flows,
            texts=tuple(self._texts),
            places=tuple(self._places),
            samples=tuple(self.samples),
            counters=tuple(
                Counter(name, unit, times, values, lane)
                for (name, lane), (unit, times, values) in self._counters.items()
            ),
            parts=tuple(self.parts),
            sources=self.sources,
            notes=tuple(self.notes),
            nothing_to_show=nothing if empty else None,
        )
