"""From a traceback to the frames of the user's own files, and the columns of the innermost one."""

from __future__ import annotations

import linecache
import types
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .load import is_installed
from .wire.messages import Frame

_REWRITTEN = "__tb"
"""A variable of every function that TileLang has rewritten: the builder, which knows the line it is at."""
_KEPT_AT_EACH_END = 32
"""Frames kept of a recursion without end: the way in, and where it was when Python gave up."""


@dataclass(frozen=True)
class Place:
    """The user's frames, outermost first, and the 1-based columns (end exclusive) of the innermost one where Python
    tells them: 3.11 and later, expressions on one line. ``in_kernel`` is whether it is the body of a kernel or macro
    as TileLang has rewritten it."""

    frames: tuple[Frame, ...]
    column: int | None = None
    end_column: int | None = None
    in_kernel: bool = False


def users_place(error: BaseException) -> Place:
    """Where in the user's files an exception came from."""
    own = [link for link in links(error) if is_users(link.tb_frame.f_code.co_filename)]
    own = [link for link in own if not _is_class_body(link)]
    if not own:
        return Place(())
    if len(own) > 2 * _KEPT_AT_EACH_END:
        own = own[:_KEPT_AT_EACH_END] + own[-_KEPT_AT_EACH_END:]
    return Place(tuple(_frame(link) for link in own), *_columns(own[-1]), _builder(own[-1]) is not None)


def links(error: BaseException) -> Iterator[types.TracebackType]:
    """The traceback, outermost first."""
    link = error.__traceback__
    while link is not None:
        yield link
        link = link.tb_next


def is_users(file: str) -> bool:
    """Whether a frame's file is the user's.

    C++ and Cython frames appear among Python's, under the names of files of the build machine.
    """
    return file.endswith((".py", ".ipynb")) and Path(file).is_absolute() and not is_installed(file)


def _frame(link: types.TracebackType) -> Frame:
    code = link.tb_frame.f_code
    line = link.tb_lineno or code.co_firstlineno
    if _is_made_up(link):
        line = getattr(_builder(link), "current_line", line)
    return Frame(code.co_filename, line, code.co_name)


def _builder(link: types.TracebackType) -> object | None:
    return link.tb_frame.f_locals.get(_REWRITTEN)


def _is_made_up(link: types.TracebackType) -> bool:
    """Calls that the rewriting made up have no line of their own and would point at line 1."""
    return (link.tb_lineno or 0) < link.tb_frame.f_code.co_firstlineno and _builder(link) is not None


def _is_class_body(link: types.TracebackType) -> bool:
    """Whether it is the body of a class in a rewritten function, which has lost its lines."""
    code = link.tb_frame.f_code
    outer = link.tb_frame.f_back
    return (
        outer is not None
        and _REWRITTEN in outer.f_locals
        and code in outer.f_code.co_consts
        and "__module__" in link.tb_frame.f_locals
    )


def _columns(link: types.TracebackType) -> tuple[int | None, int | None]:
    code = link.tb_frame.f_code
    positions = getattr(code, "co_positions", None)
    if positions is None or link.tb_lasti < 0 or _is_made_up(link):
        return None, None
    line, end_line, start, end = list(positions())[link.tb_lasti // 2]
    if line != link.tb_lineno or end_line != line or start is None or end is None or end <= start:
        return None, None
    # Rewritten code was parsed with the indentation of its def taken off.
    first = linecache.getline(code.co_filename, code.co_firstlineno)
    shift = len(first) - len(first.lstrip()) if _builder(link) is not None else 0
    raw = linecache.getline(code.co_filename, line).encode()
    return _characters(raw[: start + shift]) + 1, _characters(raw[: end + shift]) + 1


def _characters(raw: bytes) -> int:
    return len(raw.decode(errors="ignore"))
