"""The panel below the lanes: one slice, statistics, the longest slices, the profile, its pipeline, its balance."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from textual import on, work
from textual.message import Message
from textual.worker import get_current_worker

from tilescope_passdiff.tui.lanes import View
from tilescope_passdiff.tui.paint import clean
from tilescope_passdiff.tui.profiles import Attached, Measured
from tilescope_passdiff.tui.timeline_words import (
    Told,
    balance_words,
    longest_words,
    pipeline_words,
    profile_words,
    slice_words,
    statistics_words,
)
from tilescope_trace.errors import UsageError
from tilescope_trace.store.read import Recording

from .laned import Laned

PANELS = ("slice", "statistics", "longest", "profile", "pipeline", "balance")
_TITLES = ("Slice", "Statistics", "Longest", "Profile", "Pipeline", "Balance")
_REST_S = 0.15
"""How long the view must stay before its statistics are worked out."""


class Panelled(Laned):
    """Fills the panel that was asked for; what takes long is worked out in the background."""

    @dataclass
    class Worked(Message):
        """The lines of a panel were worked out."""

        panel: int
        lines: tuple[Told, ...]

    def __init__(self, measured: Measured, recording: Recording, profile: int, panel: int) -> None:
        super().__init__(measured, recording, profile)
        self.panel = panel
        self.told_slice: int | None = None
        """The slice that the panel tells of."""

    def tell(self) -> None:
        """Fills the panel: at once with what is known, else when it was worked out."""
        keys = "  ".join(f"{number} {title.lower()}" for number, title in enumerate(_TITLES, 1))
        self.told.caption(_TITLES[self.panel], keys)
        if PANELS[self.panel] == "slice":
            self.told_slice = self.lanes.chosen
            self.told.take(tuple(slice_words(self.attached, self.lanes.chosen)))
        else:
            self._work_out(
                self.panel, self.attached, self.lanes.marked or self.lanes.view, self.lanes.marked is not None
            )

    @work(thread=True, exclusive=True, group="panel")
    def _work_out(self, panel: int, attached: Attached, view: View, marked: bool) -> None:
        worker = get_current_worker()
        if PANELS[panel] == "statistics":
            time.sleep(_REST_S)
        if worker.is_cancelled:
            return
        try:
            lines = tuple(self._words(PANELS[panel], attached, view, marked))
        except UsageError as error:
            lines = (Told(clean(str(error)), "error"),)
        if not worker.is_cancelled:
            self.post_message(self.Worked(panel, lines))

    def _words(self, panel: str, attached: Attached, view: View, marked: bool) -> Iterator[Told]:
        if panel == "statistics":
            return statistics_words(attached, view, marked)
        if panel == "profile":
            return profile_words(attached, self.measured)
        if panel == "longest":
            return longest_words(attached)
        if panel == "pipeline":
            return pipeline_words(attached, self.recording)
        return balance_words(attached, self.recording.info)

    @on(Worked)
    def _worked(self, message: Worked) -> None:
        if message.panel == self.panel:
            self.told.take(message.lines)

    def action_panel(self, number: int) -> None:
        self.panel = number
        self.tell()
