"""Addresses of the pages of rules."""

from __future__ import annotations

import functools
import logging
import os
from pathlib import Path

log = logging.getLogger(__name__)


def page_of(code: str, folder: str | None) -> str | None:
    """The address of a rule's page below ``folder``, or of a copy in the user's cache folder; None where it cannot be
    written there."""
    return f"{folder.rstrip('/')}/{code}.md" if folder is not None else _copy(code)


@functools.cache
def _copy(code: str) -> str | None:
    # Slow to import: not at every start.
    from platformdirs import user_cache_path

    from tilescope_trace.rules.catalog import RULES
    from tilescope_trace.rules.docs import page

    rule = RULES.get(code)
    if rule is None:
        return None
    path = user_cache_path("tilescope") / "rules" / f"{code}.md"
    text = page(rule)
    try:
        if not path.is_file() or path.read_text("utf-8", "replace") != text:
            _write(path, text)
    except OSError as error:
        log.info("the page of %s is not at hand: %s", code, error)
        return None
    return path.as_uri()


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # Several servers may write it at once: whole, or not at all.
    unfinished = path.with_suffix(f".{os.getpid()}.new")
    unfinished.write_text(text, "utf-8")
    unfinished.replace(path)
