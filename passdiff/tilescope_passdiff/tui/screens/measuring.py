"""Profiles over the browser of a recording: read in the background, heat beside the panes, the Timeline screen."""

from __future__ import annotations

from pathlib import Path

from textual import on, work
from textual.message import Message
from textual.worker import get_current_worker

from tilescope_passdiff.tui.profiles import Measured, Wanted, read_measured
from tilescope_passdiff.tui.selection import Selection
from tilescope_passdiff.tui.widgets.heat import HeatColumn
from tilescope_passdiff.tui.widgets.line_view import LineView
from tilescope_trace.profile.model import Profile
from tilescope_trace.store.read import Recording

from .linked import Linked
from .stack import ask
from .timeline import Followed, Kept, Timeline, origin_of

NOTHING = "no profile is laid over this recording: tilescope view REC --profile FILE"


class Measuring(Linked):
    """Lays profiles over the recording. ``profiles`` are set before the screen is shown; ``loaded`` are those that
    were read already, for another recording of the kernel."""

    class Ready(Message):
        """Profiles were read and laid over the recording."""

        def __init__(self, measured: Measured) -> None:
            super().__init__()
            self.measured = measured

    def __init__(self, recording: Recording) -> None:
        super().__init__(recording)
        self.profiles = Wanted()
        self.loaded: dict[Path, tuple[Profile, ...]] = {}
        self.measured: Measured | None = None
        self.reading_profiles = ""
        self._timeline: Kept | None = None
        self._open_when_ready = False

    def lay_profiles(self, wanted: Wanted, loaded: dict[Path, tuple[Profile, ...]]) -> None:
        """To be called before the screen is shown: what is to be laid over the recording."""
        self.profiles, self.loaded = wanted, loaded

    @work(thread=True, exclusive=True, group="profiles")
    def read_profiles(self) -> None:
        """Reads what is wanted; `Ready` brings it."""
        if not self.profiles.paths:
            return
        worker = get_current_worker()

        def tell(text: str) -> None:
            self.reading_profiles = text
            if not worker.is_cancelled:
                self.app.call_from_thread(self.notify, text, timeout=3, markup=False)

        measured = read_measured(self.profiles, self.recording, self.loaded, tell)
        self.reading_profiles = ""
        if not worker.is_cancelled:
            self.post_message(self.Ready(measured))

    @on(Ready)
    def _profiles_ready(self, message: Ready) -> None:
        self.measured = message.measured
        for problem in self.measured.problems:
            self.notify(problem, severity="error", timeout=12, markup=False)
        heat = self.measured.heat
        if heat is not None:
            self.show_heat(HeatColumn(heat))
        if self.measured.profiles:
            told = f"{self.measured.telling} · T: timeline"
            self.notify(told, severity="warning" if heat is None else "information", timeout=6, markup=False)
        if self._open_when_ready:
            self._open_when_ready = False
            self.action_timeline()

    def show_heat(self, column: HeatColumn | None) -> None:
        """Lays a heat column beside source, IR and generated source, or takes it away."""
        panes: tuple[LineView, ...] = (self.text, self.source, self.generated)
        for pane in panes:
            pane.margin = column
            pane.redraw()

    def action_heat(self) -> None:
        if self.measured is None or self.measured.heat is None:
            self.notify(self._missing(), severity="warning", markup=False)
        else:
            self.show_heat(None if self.text.margin is not None else HeatColumn(self.measured.heat))

    def _missing(self) -> str:
        if self.reading_profiles:
            return self.reading_profiles
        return self.measured.telling if self.measured is not None else NOTHING

    def action_timeline(self) -> None:
        measured = self.measured
        if measured is None or not measured.profiles:
            self._open_when_ready = bool(self.reading_profiles)
            self.notify(self._missing(), severity="warning", markup=False, timeout=8)
            return
        screen = Timeline(measured, self.recording, self.follow_slice, self._timeline)

        def left(_: int | None) -> None:
            self._timeline = screen.kept()

        ask(self, screen, left)

    def follow_slice(self, followed: Followed) -> None:
        """Shows the lines that a slice leads to, in all panes."""
        origin = origin_of(followed)
        if origin is not None:
            selection = Selection((origin,))
            self.select(selection)
            self.reach(selection)
            self.select(selection)
            self.source.focus() if self.source.display else self.text.focus()
        elif followed.generated is not None and self.generated.display:
            self.generated.focus()
        if followed.generated is not None and self.generated.count:
            self.generated.move_to(followed.generated - 1, tell=False, center=True)
