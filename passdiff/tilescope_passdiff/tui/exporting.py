"""What can be written to a file: a hunk, the diff or the text of a pass, the report of the whole recording."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tilescope_passdiff.render.unified import plain_diff
from tilescope_trace.errors import UsageError
from tilescope_trace.store.read import Recording

from .document import Document
from .taking import hunk_text


@dataclass(frozen=True)
class Export:
    """``make`` gives the text, in a background thread; it raises UsageError where the recording is damaged."""

    title: str
    name: str
    make: Callable[[], str]


def exports(
    recording: Recording, position: int, document: Document, row: int | None, hide_renumbering: bool
) -> tuple[Export, ...]:
    """All there is to export where the reader is."""
    stem = recording.path.name.removesuffix(".tscope")
    found = [Export("the whole recording as a web page", f"{stem}.html", lambda: _page(recording))]
    if recording.passes:
        record = recording.passes[position]
        base = f"{stem}-{record.index}-{re.sub(r'[^A-Za-z0-9.#_-]+', '-', record.label)}"
        after = record.after if record.after is not None else record.before
        found = [
            Export(
                "this pass as a unified diff",
                f"{base}.diff",
                lambda: plain_diff(recording, record, hide_renumbering=hide_renumbering),
            ),
            Export("the IR behind this pass", f"{base}.py", lambda: recording.text(after) + "\n"),
            *found,
        ]
        hunk = hunk_text(document, row)
        if hunk:
            named = f"--- pass {record.index} before\n+++ pass {record.index} after\n"
            found.insert(0, Export("this hunk as a unified diff", f"{base}-hunk.diff", lambda: f"{named}{hunk}\n"))
    generated = recording.generated()
    if generated is not None:
        end = {"cuda": "cu", "hip": "hip", "metal": "metal"}.get(recording.info.generated_language or "", "cpp")
        found.insert(-1, Export("the generated source", f"{stem}.{end}", lambda: generated))
    return tuple(found)


def _page(recording: Recording) -> str:
    # Only who wants a page waits for what makes it.
    from tilescope_passdiff.render.html import report_html

    return report_html(recording)


def write(export: Export, path: Path) -> int:
    """Writes the export and returns its bytes. Raises UsageError where that cannot be, and where ``path`` exists."""
    text = export.make()
    try:
        with path.open("x", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except FileExistsError:
        raise UsageError(f"{path} exists; choose another name") from None
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}") from None
    return path.stat().st_size
