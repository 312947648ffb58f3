"""The Timeline screen: what a profiler saw, lane by lane over time, on the recording's terms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical

from tilescope_passdiff.tui.keyboard import bindings
from tilescope_passdiff.tui.keys import Scope
from tilescope_passdiff.tui.lanes import View
from tilescope_passdiff.tui.messages import Activated
from tilescope_passdiff.tui.profiles import Measured
from tilescope_passdiff.tui.widgets.bars import Footer, Header, SearchBar
from tilescope_passdiff.tui.widgets.find_bar import FindBar
from tilescope_passdiff.tui.widgets.lane_view import LaneView
from tilescope_passdiff.tui.widgets.line_view import LineView
from tilescope_passdiff.tui.widgets.told_view import ToldView
from tilescope_trace.model import Origin
from tilescope_trace.profile.model import NONE, Place
from tilescope_trace.store.read import Recording

from .help import Help
from .panelled import PANELS, Panelled
from .seeking import Seeking
from .stack import ask, leave

_PAN = 4
"""A step of panning is this part of what is in view."""


@dataclass(frozen=True)
class Followed:
    """Where a slice leads: ``python`` as the profile spells it, and the line of the generated source."""

    python: Place | None = None
    generated: int | None = None


@dataclass(frozen=True)
class Kept:
    """Where the reader was in the timeline."""

    profile: int = 0
    view: View | None = None
    chosen: int | None = None
    panel: int = 3


class Timeline(Panelled, Seeking):
    """Ends with None; ``follow`` hears where a slice leads before it does. ``kept`` is where the reader was."""

    SCOPES: ClassVar[tuple[Scope, ...]] = ("lanes", "timeline")
    BINDINGS = bindings("timeline")
    CSS = """
    Timeline #lanes { height: 2fr; }
    Timeline #panel { height: 1fr; min-height: 5; }
    """

    def __init__(
        self, measured: Measured, recording: Recording, follow: Callable[[Followed], None], kept: Kept | None = None
    ) -> None:
        self._kept = kept or Kept()
        super().__init__(measured, recording, self._kept.profile, self._kept.panel)
        self.follow = follow
        self._anchor: int | None = None

    def kept(self) -> Kept:
        """Where the reader is."""
        return Kept(self.profile, self.lanes.view, self.lanes.chosen, self.panel)

    def compose(self) -> ComposeResult:
        yield Header(id="header")
        with Vertical(id="timeline"):
            yield LaneView(id="lanes")
            yield ToldView(id="panel")
        yield FindBar(id="find")
        yield Footer(id="footer")

    def on_mount(self) -> None:
        self.lanes.focus()
        self._show(self._kept.view)
        if self._kept.chosen is not None:
            self.lanes.choose(self._kept.chosen)

    def _show(self, view: View | None = None) -> None:
        one = self.attached
        several = (
            f" · profile {self.profile + 1} of {len(self.measured.profiles)}"
            if len(self.measured.profiles) > 1
            else ""
        )
        kernel = self.recording.info.kernel.qualname
        self.query_one(Header).tell(f"Timeline · {one.profile.path.name} · {one.profile.format} · {kernel}{several}")
        self.lanes.show(one, view)
        self.sought, self._anchor = "", None
        self.tell()

    def show_footer(self) -> None:
        typing = isinstance(self.focused, SearchBar)
        found = f"{len(self.lanes.found):,} slices with {self.sought}" if self.sought and not typing else ""
        self.query_one(Footer).show(("search",) if typing else self.SCOPES, self.size.width, found)

    def action_help(self) -> None:
        ask(self, Help((*self.SCOPES, "search")))

    @on(LaneView.Chosen)
    def _chosen(self) -> None:
        self._mark()
        other_slice = PANELS[self.panel] == "slice" and self.lanes.chosen != self.told_slice
        if other_slice or (PANELS[self.panel] == "statistics" and self._anchor is None):
            self.tell()

    @on(Activated)
    def _activated(self, message: Activated) -> None:
        if message.pane == "panel":
            line = self.told.lines[message.index]
            if line.slice is not None and line.slice != self.lanes.chosen:
                self.lanes.choose(line.slice)
                return
        self._follow()

    # --- time ------------------------------------------------------------------------------------------------

    def action_zoom_time(self, step: int) -> None:
        lanes = self.lanes
        lanes.look_at(lanes.view.zoomed(0.5 if step > 0 else 2.0, lanes.center(), lanes.whole))

    def action_pan(self, step: int) -> None:
        lanes = self.lanes
        lanes.look_at(lanes.view.moved(lanes.view.start + step * max(1, lanes.view.length // _PAN), lanes.whole))

    def action_whole(self) -> None:
        self.lanes.look_at(self.lanes.whole)

    def action_fit(self) -> None:
        self.lanes.action_fit()

    def action_mark(self) -> None:
        """Marks from the chosen slice on; once more takes the mark away."""
        if self._anchor is not None:
            self._anchor = self.lanes.marked = None
            self.lanes.refresh()
            self.tell()
        elif self.lanes.chosen is None:
            self.notify("select a slice first (→), then mark from it to another one", severity="warning")
        else:
            self._anchor = self.lanes.chosen
            self._mark()
            self.action_panel(PANELS.index("statistics"))

    def _mark(self) -> None:
        """The marked stretch goes from the anchor to the chosen slice, both included."""
        chosen = self.lanes.chosen
        if self._anchor is None or chosen is None:
            return
        rows, durations = self.attached.rows, self.attached.profile.slices.duration_ns
        ends = [(rows.start_of(one), rows.start_of(one) + durations[one]) for one in (self._anchor, chosen)]
        marked = View(min(start for start, _ in ends), max(1, *(end for _, end in ends)))
        if marked != self.lanes.marked:
            self.lanes.marked = marked
            self.lanes.refresh()
            if PANELS[self.panel] == "statistics":
                self.tell()

    def action_profile(self) -> None:
        self.profile = (self.profile + 1) % len(self.measured.profiles)
        self._show()

    # --- leaving ---------------------------------------------------------------------------------------------

    def _follow(self) -> None:
        index, one = self.lanes.chosen, self.attached
        if index is None:
            self.notify("select a slice first (→)", severity="warning")
            return
        place = one.profile.slices.place[index]
        frames = one.profile.places[place] if place != NONE else ()
        generated = next((frame.line for frame in frames if frame.file.startswith("<generated")), None)
        python = next((frame for frame in reversed(frames) if (Path(frame.file).name, frame.line) in one.texts), None)
        launch = one.launch_of(index)
        kernel = self.recording.info.kernel
        if python is None and generated is None and launch is not None and launch[1].recording is not None:
            line = kernel.launch.line if kernel.launch is not None else None
            python = Place(self._main_file(), line or kernel.line or 1)
        if python is None and generated is None:
            self.notify("this slice is of no known line and no launch of this recording", severity="warning")
            return
        self.follow(Followed(python, generated))
        leave(self)

    def _main_file(self) -> str:
        sources = self.recording.sources()
        return sources[0].path if sources else ""

    def action_back(self) -> None:
        if self.sought:
            self.seek(self.attached, "")
        elif self._anchor is not None:
            self.action_mark()
        else:
            leave(self)

    def arrange_panes(self) -> None:
        for pane in self.query(LineView):
            pane.display = self.reading.zoom in (None, pane.id)


def origin_of(followed: Followed) -> Origin | None:
    """The Python line that a slice leads to, as panes name lines."""
    return Origin(followed.python.file, followed.python.line) if followed.python is not None else None
