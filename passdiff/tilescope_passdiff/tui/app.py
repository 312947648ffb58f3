"""The terminal application around the screens."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.app import App
from textual.worker import get_current_worker

from tilescope_passdiff.terminal import require_terminal
from tilescope_trace.errors import UsageError
from tilescope_trace.store.read import Recording, open_recording
from tilescope_trace.store.stale import changed_sources

from .choices import Choices, read_choices, write_choices
from .messages import Recorded
from .palette import PALETTES, THEMES, prefers_light
from .profiles import NO_PROFILES, Wanted
from .screens.browser import Browser
from .screens.compare import CompareScreen
from .screens.reader import Reader
from .signals import end_when_told
from .watching import LOOK_S, Stamps, Watched, stamps
from .widgets.bars import Newer


def run(path: Path, *, watched: Watched | None = None, profiles: Wanted = NO_PROFILES) -> int:
    """Shows the recording ``path`` until the person quits; returns the exit code. What is ``watched`` is recorded
    again when it changes; ``profiles`` are laid over it. Raises UsageError where there is no recording, or no
    terminal to show it on."""
    with open_recording(path) as recording:
        require_terminal(f"Read {path} with `tilescope passes` and `tilescope diff`.")
        app = BrowserApp(recording, watched=watched, profiles=profiles)
        try:
            return _run(app)
        finally:
            # It may be another one by now.
            app.browser.recording.close()


def run_compare(a: Path, b: Path) -> int:
    """Shows two recordings side by side; 1 where they differ, else 0. Raises UsageError as `run` does."""
    with open_recording(a) as old, open_recording(b) as new:
        require_terminal("`tilescope compare` prints what differs.")
        screen = CompareScreen(old, new)
        code = _run(TilescopeApp(screen))
        differ = screen.comparison is not None and not screen.comparison.same
        return code or int(differ)


def _run(app: TilescopeApp) -> int:
    keep_frames_short()
    app.run()
    return app.return_code or 0


def keep_frames_short() -> None:
    """Sets the interpreter up for a program that draws while threads work."""
    # Background threads compare texts: hand over to the one that draws after 1 ms, not 5.
    sys.setswitchinterval(0.001)
    # Texts are tens of thousands of small objects without cycles: a full collection takes longer than a frame.
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


class TilescopeApp(App[None]):
    """One screen in a terminal; remembers the colours that were chosen."""

    TITLE = "tilescope"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar = []

    def __init__(self, first: Reader) -> None:
        # Without colour Textual would still paint greys, unless it leaves colours to the terminal.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self.first = first
        for theme in THEMES:
            self.register_theme(theme)
        self._chosen = read_choices(os.environ)
        light = prefers_light(dict(os.environ))
        usual = "tilescope-light" if light else "tilescope-dark"
        self.theme = self._chosen.theme if self._chosen.theme in PALETTES else usual

    def on_mount(self) -> None:
        if not self.is_headless:
            end_when_told(self)
        # Back from the background, the terminal shows what was there before.
        self.app_resume_signal.subscribe(self, lambda _: self.refresh(layout=True))
        self.push_screen(self.first)

    def choose_theme(self, name: str) -> None:
        """Takes other colours, also for the next time."""
        self.theme = name
        self._chosen = Choices(theme=name)
        write_choices(os.environ, self._chosen)


class BrowserApp(TilescopeApp):
    """One recording in a terminal; ``browser`` shows the newest."""

    def __init__(
        self, recording: Recording, *, watched: Watched | None = None, profiles: Wanted = NO_PROFILES
    ) -> None:
        self.browser = Browser(recording)
        self.browser.lay_profiles(profiles, {})
        super().__init__(self.browser)
        self.watched = watched
        self._seen: Stamps = {}
        self._waiting: Recording | None = None

    def on_mount(self) -> None:
        super().on_mount()
        if self.watched is not None and self.watched.automatic:
            self._seen = stamps(self._files())
            self.set_interval(LOOK_S, self._look_at_files)
            self._catch_up()

    def _files(self) -> list[Path]:
        """The kernel's file and all other sources of the recording that are here."""
        assert self.watched is not None
        browser = self.browser
        workspace = Path(browser.recording.info.workspace or "")
        return [self.watched.file, *(workspace / source.path for source in browser.sources)]

    @work(thread=True)
    def _catch_up(self) -> None:
        """Records what was saved while the first recording was made."""
        with contextlib.suppress(UsageError):
            if changed_sources(self.browser.recording):
                self.call_from_thread(self.again)

    def _look_at_files(self) -> None:
        found = stamps(self._files())
        # A file first seen now, because the sources were read meanwhile, has not changed.
        changed = any(self._seen.get(path, stamp) != stamp for path, stamp in found.items())
        self._seen = found
        if changed:
            self.again()

    @work(thread=True, exclusive=True, group="again")
    def again(self) -> None:
        """Records again what is watched, or reads the recording again; the reader's place is kept. Asked again
        meanwhile, it gives up what it records: the newest text is the one that is shown."""
        worker = get_current_worker()
        path: Path | None = self.browser.recording.path
        try:
            if self.watched is not None:
                self.call_from_thread(self._tell_newer, "recording")
                path = self.watched.record()
            if path is None:
                return
            recording = open_recording(path)
        except UsageError as error:
            if not worker.is_cancelled:
                self.call_from_thread(self._tell_newer, "unrecordable" if self.watched is not None else "")
                self.call_from_thread(self.notify, str(error), severity="error", markup=False, timeout=10)
            return
        self.post_message(Recorded(recording))

    def _tell_newer(self, newer: Newer) -> None:
        if newer == "recording":
            self.notify("recording again …", timeout=2)
        self.browser.tell_newer(newer)

    @on(Recorded)
    async def show_newest(self, message: Recorded) -> None:
        """Shows another recording of the same kernel where the old one was; not before the reader is back from a
        screen over it, where a note is written, say."""
        old, recording = self.browser, message.recording
        if self.screen is not old:
            if self._waiting is not None:
                self._waiting.close()
            self._waiting = recording
            self.notify(f"{self._done}: shown once you are back at the passes", timeout=4)
            return
        new = self.browser = Browser(recording, kept=old.kept())
        new.lay_profiles(old.profiles, old.loaded)
        old.workers.cancel_node(old)
        await self.switch_screen(new)
        old.recording.close()
        failed = next((record for record in recording.passes if record.status == "failed"), None)
        if failed is not None:
            self.notify(f"failed in {failed.label}", severity="error", markup=False)
        elif recording.info.status != "ok":
            self.notify("it does not compile now", severity="error")
        else:
            self.notify(self._done, timeout=2)

    @property
    def _done(self) -> str:
        return "recorded again" if self.watched is not None else "read again"

    def show_waiting(self) -> None:
        """To be called when the reader is back: shows what was recorded meanwhile."""
        if self._waiting is not None:
            self.post_message(Recorded(self._waiting))
            self._waiting = None
