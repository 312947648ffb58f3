"""From an exception to a Failure: what was said, in which pass, and where in the user's files."""

from __future__ import annotations

import dataclasses
import linecache
import re
import traceback
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .load import is_installed
from .wire.facts import Severity
from .wire.messages import Failure, Frame, Phase

_MARKER = re.compile(r"^\s*-->\s+(?P<file>.+?):(?P<line>\d+)(?::\d+)?\s*$", re.MULTILINE)
_NOT_A_MESSAGE = re.compile(r'Traceback \(most recent call last\)|\s*File "|\s*-->|\s*\^|-+$|\s*\d* *\|')
_REWRITTEN = "__tb"
"""A variable of every function that TileLang has rewritten: the builder, which knows the line it is at."""


@dataclasses.dataclass(frozen=True)
class _Spot:
    frame: Frame
    column: int | None = None
    end_column: int | None = None


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
        message=_first_line(said) or _bare(error),
        text=said,
        pass_name=pass_name,
    )
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        return dataclasses.replace(failure, message=error.msg or failure.message, **_syntax_place(error))
    spots = list(_spots(error))
    failure = dataclasses.replace(failure, frames=tuple(spot.frame for spot in spots))
    marker = _MARKER.search(said)
    if marker is not None:
        return dataclasses.replace(failure, file=marker["file"], line=int(marker["line"]))
    if not spots:
        return failure
    last = spots[-1]
    return dataclasses.replace(
        failure,
        file=last.frame.file,
        line=last.frame.line,
        column=last.column,
        end_line=last.frame.line if last.end_column else None,
        end_column=last.end_column,
    )


def simple_failure(request: int | None, phase: Phase, message: str, **fields: Any) -> Failure:
    """A failure of ours rather than of an exception of the user's: bad argument, target or pass config."""
    fields = {"severity": "error", "exception": "", "text": message} | fields
    return Failure(request=request, phase=phase, message=message, **fields)


def said_by(error: BaseException) -> str:
    """The text of an exception, empty where it has none or breaks when asked."""
    try:
        return str(error).strip("\n")
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


def _spots(error: BaseException) -> Iterator[_Spot]:
    """The frames in the user's files, outermost first."""
    for frame, number in traceback.walk_tb(error.__traceback__):
        code = frame.f_code
        if not _is_users(code.co_filename):
            continue
        builder = frame.f_locals.get(_REWRITTEN) if _REWRITTEN in code.co_freevars + code.co_varnames else None
        line = number or code.co_firstlineno
        if builder is not None and line < code.co_firstlineno:
            # Calls that the rewriting made up have no line of their own and would point at line 1.
            yield _Spot(Frame(code.co_filename, getattr(builder, "current_line", line), code.co_name))
            continue
        columns = _columns(error, frame, line, rewritten=builder is not None)
        yield _Spot(Frame(code.co_filename, line, code.co_name), *columns)


def _is_users(file: str) -> bool:
    """C++ and Cython frames appear among Python's, under the names of files of the build machine."""
    return file.endswith(".py") and Path(file).is_absolute() and not is_installed(file)


def _columns(
    error: BaseException, frame: types.FrameType, line: int, *, rewritten: bool
) -> tuple[int | None, int | None]:
    """1-based column and end of what a frame was at (Python 3.11 and later, one-line expressions only)."""
    code = frame.f_code
    positions = getattr(code, "co_positions", None)
    at = next((link.tb_lasti for link in _links(error) if link.tb_frame is frame), -1)
    if positions is None or at < 0:
        return None, None
    start_line, end_line, start, end = list(positions())[at // 2]
    if start_line != line or end_line != line or start is None or end is None or end <= start:
        return None, None
    # Rewritten code was parsed with the indentation of its def taken off.
    shift = _indentation(linecache.getline(code.co_filename, code.co_firstlineno)) if rewritten else 0
    raw = linecache.getline(code.co_filename, line).encode()
    return _characters(raw[: start + shift]) + 1, _characters(raw[: end + shift]) + 1


def _characters(raw: bytes) -> int:
    return len(raw.decode(errors="ignore"))


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def _links(error: BaseException) -> Iterator[types.TracebackType]:
    link = error.__traceback__
    while link is not None:
        yield link
        link = link.tb_next
