"""The terminal application around the browser."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from textual.app import App

from tilescope_trace.errors import UsageError
from tilescope_trace.store.read import Recording, open_recording

from .palette import THEMES, prefers_light
from .screens.browser import Browser


def run(path: Path) -> int:
    """Shows the recording ``path`` until the person quits; returns the exit code. Raises UsageError where there is
    no recording, or no terminal to show it on."""
    with open_recording(path) as recording:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise UsageError(
                f"The browser needs a terminal. Read {path} with `tilescope passes` and `tilescope diff`."
            )
        # Background threads compare texts: hand over to the one that draws after 1 ms, not 5.
        sys.setswitchinterval(0.001)
        app = BrowserApp(recording)
        app.run()
        return app.return_code or 0


class BrowserApp(App[None]):
    """One recording in a terminal."""

    TITLE = "tilescope"

    def __init__(self, recording: Recording) -> None:
        # Without colour Textual would still paint greys, unless it leaves colours to the terminal.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self.browser = Browser(recording)
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = "tilescope-light" if prefers_light(dict(os.environ)) else "tilescope-dark"

    def on_mount(self) -> None:
        self.push_screen(self.browser)
