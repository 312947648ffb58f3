"""The search for slices by their names."""

from __future__ import annotations

from dataclasses import dataclass

from textual import on, work
from textual.message import Message
from textual.widgets import Input
from textual.worker import get_current_worker

from tilescope_passdiff.tui.profiles import Attached
from tilescope_passdiff.tui.widgets.bars import SearchBar
from tilescope_trace.profile.statistics import slices_named

from .laned import Laned


class Seeking(Laned):
    """Marks the slices that are sought as their name is typed, and goes through them."""

    sought = ""
    """What is sought."""

    @dataclass
    class Found(Message):
        """What a search found, in the order of time."""

        query: str
        slices: tuple[int, ...]

    def action_search(self) -> None:
        self.find.open("slices", "/", "part of a slice's name", self.sought)

    @on(Input.Changed, "#search")
    def _query_typed(self, message: Input.Changed) -> None:
        if self.find.purpose == "slices":
            self.seek(self.attached, message.value)

    @work(thread=True, exclusive=True, group="search")
    def seek(self, attached: Attached, query: str) -> None:
        worker = get_current_worker()
        found = slices_named(attached.profile, query, attached.lines)
        if not worker.is_cancelled:
            self.post_message(self.Found(query, found))

    @on(Found)
    def _sought(self, message: Found) -> None:
        self.sought = message.query
        self.lanes.mark_found(message.slices)
        if self.find.purpose == "slices":
            self.find.tell(f"{len(message.slices):,} slices" if message.query else "")
        self.show_footer()

    @on(SearchBar.Stepped)
    def _search_stepped(self, message: SearchBar.Stepped) -> None:
        if self.find.purpose == "slices":
            self.lanes.step_found(message.step)

    @on(SearchBar.Accepted)
    def _search_accepted(self) -> None:
        if self.find.purpose == "slices":
            self.find.close()
            self.lanes.focus()
            if self.lanes.chosen not in self.lanes.found:
                self.lanes.step_found(1)

    @on(SearchBar.Cancelled)
    def _search_cancelled(self) -> None:
        if self.find.purpose == "slices":
            self.find.close()
            self.lanes.focus()
            self.seek(self.attached, "")

    def action_match(self, step: int) -> None:
        self.lanes.step_found(step)
