"""The filter of the list of passes."""

from __future__ import annotations

from textual import on
from textual.widgets import Input

from tilescope_passdiff.tui import state
from tilescope_passdiff.tui.widgets.bars import SearchBar

from .linked import Linked


class Filtering(Linked):
    """Leaves passes out of the list by name, as it is typed."""

    def become(self, new: state.State) -> None:
        """Goes over to another state and shows what is different."""
        raise NotImplementedError

    def action_filter(self) -> None:
        self.find.open("filter", "passes:", "part of a name, or its letters: lyinf", self.state.filter)
        self._tell_filtered()

    @on(Input.Changed, "#search")
    def _filter_changed(self, message: Input.Changed) -> None:
        if self.find.purpose == "filter":
            self.become(state.narrow(self.state, self.recording.passes, message.value))
            self._tell_filtered()

    def _tell_filtered(self) -> None:
        listed = sum(isinstance(row, int) for row in self.passes.rows)
        self.find.tell(f"{listed} of {len(self.recording.passes)}")

    @on(SearchBar.Stepped)
    def _filter_stepped(self, message: SearchBar.Stepped) -> None:
        if self.find.purpose == "filter":
            self.passes.action_cursor(message.step)

    @on(SearchBar.Accepted)
    def _filter_accepted(self) -> None:
        if self.find.purpose == "filter":
            self.find.close()
            self.passes.focus()

    @on(SearchBar.Cancelled)
    def _filter_cancelled(self) -> None:
        if self.find.purpose == "filter":
            self.become(state.narrow(self.state, self.recording.passes, ""))
            self._filter_accepted()
