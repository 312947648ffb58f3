"""What is taken out of the browser: lines, hunks and whole passes as text."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from .document import Document
from .items import CONTEXT


def line_text(texts: Iterable[str], row: int | None) -> str:
    """The text of one row; empty where there is none."""
    return "" if row is None else next(islice(texts, row, None), "")


def hunk_text(document: Document, row: int | None, context: int = CONTEXT) -> str:
    """The change at or nearest above ``row`` (else the first) as a unified diff's hunk; empty where nothing
    changed."""
    if not document.changes or row is None:
        return ""
    found = document.changes[0]
    for change in document.changes:
        if change[0] <= row:
            found = change
    start, end = max(0, found[0] - context), min(len(document.rows), found[1] + context)
    rows = document.rows[start:end]
    old, new = [row.old for row in rows if row.old], [row.new for row in rows if row.new]
    before = f"-{old[0] if old else 0},{len([1 for row in rows if row.sign != '+'])}"
    after = f"+{new[0] if new else 0},{len([1 for row in rows if row.sign != '-'])}"
    return "\n".join([f"@@ {before} {after} @@", *(row.sign + row.text for row in rows)])
