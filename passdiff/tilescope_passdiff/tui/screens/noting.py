"""Bookmarks and notes of the reader, kept beside the recording."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timezone

from tilescope_passdiff.tui.paint import clean, filled
from tilescope_passdiff.tui.places import EXCERPT, line_of, position_of, row_of, text_note
from tilescope_passdiff.tui.state import Companion
from tilescope_passdiff.tui.widgets.code_view import CodeView
from tilescope_trace.errors import UsageError
from tilescope_trace.store.notes import Note, change_notes, notes_path, read_notes, with_note, without_note

from .finder import Entry, Finder
from .form import Form
from .linked import Linked
from .stack import ask


class Noting(Linked):
    """Marks lines, and goes back to them. Where notes cannot be written they are kept until the browser ends."""

    notes: tuple[Note, ...] = ()

    def read_notes(self) -> None:
        """Takes the notes that lie beside the recording."""
        try:
            self.notes = read_notes(notes_path(self.recording.path))
        except UsageError as error:
            self.notify(str(error), severity="error", markup=False, timeout=10)
        self.show_noted()

    def change_notes(self, change: Callable[[tuple[Note, ...]], tuple[Note, ...]]) -> None:
        """Changes the notes, in the file as well if that can be."""
        try:
            self.notes = change_notes(notes_path(self.recording.path), change)
        except UsageError as error:
            self.notes = change(self.notes)
            self.notify(f"kept until you quit only: {error}", severity="warning", markup=False, timeout=10)
        self.show_noted()

    def show_noted(self) -> None:
        """Marks what has a bookmark or a note."""
        passes = self.recording.passes
        labels = {note.label for note in self.notes if note.pane == "text"}
        self.passes.note(frozenset(at for at, record in enumerate(passes) if record.label in labels))
        label = passes[self.state.selected].label if passes else None
        rows = (row_of(self.text.document, note) for note in self.notes if (note.pane, note.label) == ("text", label))
        self.text.note(frozenset(row for row in rows if row is not None))
        for pane, name in ((self.source, "source"), (self.generated, "generated")):
            shown = pane.source
            if shown is not None and shown.lines:
                file = shown.path if name == "source" else None
                noted = [note for note in self.notes if (note.pane, note.file) == (name, file)]
                pane.note(frozenset(line_of(shown.lines, note) + 1 for note in noted))

    def here(self) -> Note | None:
        """The place at the cursor, as a note without text; None where there is nothing to note."""
        pane = self.searched
        if isinstance(pane, CodeView) and pane.source is not None and pane.source.lines:
            name, source = ("source" if pane is self.source else "generated"), pane.source
            excerpt = source.lines[pane.cursor][:EXCERPT]
            file = source.path if name == "source" else None
            return Note("source" if name == "source" else "generated", None, file, None, pane.cursor + 1, excerpt)
        return self.here_in_text()

    def here_in_text(self) -> Note | None:
        """The place at the cursor of the text."""
        row = self.text.row
        if row is None or not self.recording.passes:
            return None
        return text_note(self.recording.passes[self.state.selected].label, self.text.document.rows[row])

    def action_bookmark(self) -> None:
        place = self.here()
        if place is None:
            self.notify("nothing here to mark", severity="warning")
            return
        found = next((note for note in self.notes if note.place == place.place), None)
        if found is not None and found.text:
            self.notify("there is a note here; remove it in the list (M)", severity="warning")
        elif found is not None:
            self.change_notes(lambda notes: without_note(notes, place))
        else:
            self.change_notes(lambda notes: with_note(notes, replace(place, created=_now())))

    def action_annotate(self) -> None:
        place = self.here()
        if place is None:
            self.notify("nothing here to write about", severity="warning")
            return
        found = next((note for note in self.notes if note.place == place.place), place)

        def written(text: str | None) -> None:
            if text is not None and text.strip():
                note = replace(place, text=text.strip(), created=_now())
                self.change_notes(lambda notes: with_note(notes, note))

        ask(self, Form("Note", clean(place.excerpt.strip())[:72] or "(empty line)", found.text), written)

    def action_notes(self) -> None:
        ask(self, NoteList(self), self._go_to_note)

    def _go_to_note(self, note: Note | None) -> None:
        if note is None:
            return
        if note.pane == "text":
            position = position_of(self.recording.passes, note.label, self.state.selected)
            self.go_to_pass(position, goal=note)
            self.text.focus()
            return
        pane = self.source if note.pane == "source" else self.generated
        if note.pane == "source":
            found = self.links.source(note.file or "")
            if found is not None:
                pane.show(found)
        if not pane.display:
            self.action_companion(note.pane)
        if pane.source is not None and pane.source.lines:
            pane.focus()
            pane.go_to(line_of(pane.source.lines, note))

    def action_companion(self, name: Companion) -> None:
        """Shows or hides a pane beside the text."""
        raise NotImplementedError


class NoteList(Finder[Note]):
    """All bookmarks and notes, filtered by what is typed."""

    def __init__(self, noting: Noting) -> None:
        super().__init__("Bookmarks and notes", "part of a note, line or pass · Del removes")
        self._noting = noting

    def list_for(self, typed: str) -> None:
        entries = [entry for entry in map(self._entry, self._noting.notes) if typed.lower() in _plain(entry).lower()]
        self.entries.take(entries, keep=True)
        self.say("" if self._noting.notes else "none yet: m marks a line, a writes a note at it")

    def delete(self) -> None:
        if self.entries.count:
            note = self.entries.entries[self.entries.cursor].result
            assert isinstance(note, Note)
            self._noting.change_notes(lambda notes: without_note(notes, note))
            self.list_for(self.typed)

    def _entry(self, note: Note) -> Entry[object]:
        place = note.label or note.file or "generated source"
        line = note.after if note.after is not None else note.before
        return Entry(
            (
                (filled(clean(place), 34) + " ", "text"),
                (f"{line or '':>6}  ", "dim"),
                (f"{clean(note.text)}  " if note.text else "", "changed"),
                (clean(note.excerpt.strip()), "dim"),
            ),
            note,
        )


def _plain(entry: Entry[object]) -> str:
    return "".join(text for text, _ in entry.parts)


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds")
