"""What leads out of the text of a pass: the search of all passes, exports, the editor, recording again."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from textual import work
from textual.app import SuspendNotSupported

from tilescope_passdiff.tui.editor import editor_command
from tilescope_passdiff.tui.exporting import Export, exports, write
from tilescope_trace.errors import UsageError

from .finder import Entry, Finder
from .form import Form
from .noting import Noting
from .search_all import SearchAll, Target
from .stack import ask


class Leaving(Noting):
    """Goes elsewhere, and comes back."""

    def action_search_all(self) -> None:
        query = self.text.query_shown
        ask(self, SearchAll(self.recording, self.state.selected, query), self._found)

    def _found(self, target: Target | None) -> None:
        if target is None:
            return
        found, query = target
        if found.position is None:
            if not self.generated.display:
                self.action_companion("generated")
            self.generated.focus()
            self.generated.search(query, 0)
            return
        self.go_to_pass(found.position, goal=query)
        self.text.focus()

    # --- exports ---------------------------------------------------------------------------------------------

    def action_export(self) -> None:
        try:
            found = exports(
                self.recording,
                self.state.selected,
                self.text.document,
                self.text.row,
                self.state.hide_renumbering,
            )
        except UsageError as error:
            self.notify(str(error), severity="error", markup=False)
            return
        ask(self, ExportList(found), self._name_export)

    def _name_export(self, export: Export | None) -> None:
        if export is None:
            return

        def named(name: str | None) -> None:
            if name is not None and name.strip():
                self._write(export, Path(name.strip()).expanduser())

        ask(self, Form("Export", f"{export.title}, into the file", export.name), named)

    @work(thread=True, group="export")
    def _write(self, export: Export, path: Path) -> None:
        try:
            size = write(export, path)
        except UsageError as error:
            self.app.call_from_thread(self.notify, str(error), severity="error", markup=False)
            return
        self.app.call_from_thread(self.notify, f"{path}: {size / 1024:.0f} KiB", markup=False)

    # --- the editor ------------------------------------------------------------------------------------------

    def action_edit(self) -> None:
        found = self.links.lines(self.selection.places)
        source, line = (found[0].source, found[0].line) if found else (self.source.source, self.source.cursor + 1)
        if source is None:
            self.notify("no Python source is known here", severity="warning")
            return
        path = Path(self.recording.info.workspace or "", source.path)
        try:
            if not path.is_file():
                raise UsageError(f"{path} is not on this machine")
            command = editor_command(os.environ, path, line)
            with self.app.suspend():
                done = subprocess.run(command, check=False)
        except (UsageError, OSError) as error:
            self.notify(str(error), severity="error", markup=False)
        except SuspendNotSupported:
            self.notify("an editor cannot be opened from here", severity="error")
        else:
            self.app.refresh()
            if done.returncode:
                self.notify(f"{command[0]} ended with {done.returncode}", severity="warning", markup=False)

    def action_again(self) -> None:
        self.app.again()  # type: ignore[attr-defined]


class ExportList(Finder[Export]):
    """What to export."""

    def __init__(self, found: tuple[Export, ...]) -> None:
        super().__init__("Export", "what")
        self._found = found

    def list_for(self, typed: str) -> None:
        wanted = [export for export in self._found if typed.lower() in export.title.lower()]
        self.entries.take(
            [Entry(((f"{export.title:<40}", "text"), (export.name, "dim")), export) for export in wanted], keep=False
        )
