"""Panels as files, for clients that have none of their own: a page for a browser, texts for the editor."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tilescope_passdiff.compare import compare
from tilescope_passdiff.render.compare import compare_text
from tilescope_passdiff.render.html import report_html
from tilescope_passdiff.render.layout import layout_text
from tilescope_trace.errors import UsageError
from tilescope_trace.layouts.cells import grid_of
from tilescope_trace.model import Kernel
from tilescope_trace.store.read import Recording

from .answers import TEXT_WIDTH

ROWS = slice(0, 64)


def passes_page(recording: Recording) -> Path:
    """A page with the passes of a recording and what each changed, beside it."""
    return _written(recording.path.with_suffix(".html"), lambda: report_html(recording))


def layouts_text(kernel: Kernel, recording: Recording) -> Path:
    """The pictures of all layouts of a kernel."""

    def text() -> str:
        pictures = []
        for buffer in kernel.buffers:
            if buffer.layout is not None:
                try:
                    pictures.append(layout_text(grid_of(buffer, kernel.target, ROWS), TEXT_WIDTH).plain)
                except UsageError as error:
                    pictures.append(str(error))
        return "\n\n".join(pictures) + "\n"

    return _written(recording.path.with_suffix(".layouts.txt"), text)


def comparison_text(a: Recording, b: Recording) -> Path:
    """What differs between two recordings."""
    name = f"{a.path.stem}-{b.path.stem}.compare.txt"
    return _written(a.path.with_name(name), lambda: compare_text(compare(a, b)).plain + "\n")


def _written(path: Path, text: Callable[[], str]) -> Path:
    if not path.exists():
        path.write_text(text(), encoding="utf-8", errors="backslashreplace")
    return path
