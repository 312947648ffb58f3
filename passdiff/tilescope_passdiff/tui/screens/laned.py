"""What the parts of the Timeline screen have in common: the profile that is shown, its lanes and the panel below."""

from __future__ import annotations

from tilescope_passdiff.tui.profiles import Attached, Measured
from tilescope_passdiff.tui.widgets.lane_view import LaneView
from tilescope_passdiff.tui.widgets.told_view import ToldView
from tilescope_trace.store.read import Recording

from .reader import Reader


class Laned(Reader):
    """Shows one of the profiles laid over ``recording``, by index. A subclass yields a LaneView and a ToldView."""

    def __init__(self, measured: Measured, recording: Recording, profile: int) -> None:
        super().__init__()
        self.measured, self.recording = measured, recording
        self.profile = min(profile, len(measured.profiles) - 1)

    @property
    def attached(self) -> Attached:
        """The profile that is shown."""
        return self.measured.profiles[self.profile]

    @property
    def lanes(self) -> LaneView:
        return self.query_one(LaneView)

    @property
    def told(self) -> ToldView:
        return self.query_one(ToldView)
