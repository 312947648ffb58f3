"""From an exception to a Failure: what was said, in which pass, and where in the user's files."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

from .printable import one_line, shortened
from .tracebacks import users_place
from .wire.facts import Severity
from .wire.messages import Failure, Phase

_MARKER = re.compile(r"^\s*-->\s+(?P<file>.+?):(?P<line>\d+)(?::\d+)?\s*$", re.MULTILINE)
_SAID_END = 64 << 10
"""Characters kept at each end of what an exception says: far above any message of the compiler."""
_NOT_A_MESSAGE = re.compile(r'Traceback \(most recent call last\)|\s*File "|\s*-->|\s*\^|-+$|\s*\d* *\|')


def failure_of(
    error: BaseException,
    phase: Phase,
    *,
    request: int | None = None,
    pass_name: str | None = None,
    severity: Severity = "error",
) -> Failure:
    """Describe ``error``; ``pass_name`` is the pass it happened in.

    The place is, in this order: that of a syntax error, a ``-->`` location in the compiler's message, the innermost
    frame in a file of the user's.
    """
    said = said_by(error)
    failure = Failure(
        request=request,
        phase=phase,
        severity=severity,
        exception=type(error).__name__,
        message=one_line(_first_line(said) or _bare(error)),
        text=said,
        pass_name=pass_name,
    )
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        return dataclasses.replace(failure, message=error.msg or failure.message, **_syntax_place(error))
    place = users_place(error)
    failure = dataclasses.replace(failure, frames=place.frames)
    marker = _MARKER.search(said)
    if marker is not None:
        return dataclasses.replace(failure, file=marker["file"], line=int(marker["line"]))
    if not place.frames:
        return failure
    last = place.frames[-1]
    return dataclasses.replace(
        failure,
        file=last.file,
        line=last.line,
        column=place.column,
        end_line=last.line if place.end_column else None,
        end_column=place.end_column,
    )


def simple_failure(request: int | None, phase: Phase, message: str, **fields: Any) -> Failure:
    """A failure of ours rather than of an exception of the user's: bad argument, target or pass config."""
    fields = {"severity": "error", "exception": "", "text": message} | fields
    return Failure(request=request, phase=phase, message=message, **fields)


def said_by(error: BaseException) -> str:
    """The text of an exception, empty where it has none or breaks when asked; the ends of one that is very long."""
    try:
        return shortened(str(error), _SAID_END).strip("\n")
    except BaseException:  # noqa: BLE001 - a user's __str__ may raise anything; the type still answers
        return ""


def _bare(error: BaseException) -> str:
    if isinstance(error, SystemExit):
        return "the program ended itself (SystemExit)"
    return type(error).__name__


def _first_line(said: str) -> str:
    for line in said.splitlines():
        if line.strip() and not _NOT_A_MESSAGE.match(line):
            return line.strip().removesuffix(":")
    return ""


def _syntax_place(error: SyntaxError) -> dict[str, Any]:
    column = error.offset if error.offset and error.offset > 0 else None
    end_line = error.end_lineno or None
    end_column = error.end_offset if end_line and error.end_offset and error.end_offset > 0 else None
    if end_line == error.lineno and column and end_column and end_column <= column:
        end_line = end_column = None
    return {
        "file": error.filename,
        "line": error.lineno,
        "column": column,
        "end_line": end_line if end_column else None,
        "end_column": end_column,
    }
