"""The printed text of a module, and which of its lines came from which Python line."""

from __future__ import annotations

import re
from typing import Any

from tvm import tirx
from tvm.tirx.stmt_functor import post_order_visit

from .compat import annotated_script, location_of

_MARK = re.compile("\x01(\\d+)\x02")
_OWN_LINE = re.compile(r"\s*#\s*\x01\d+\x02")
_BEHIND = re.compile(r"\s*#\s*\x01\d+\x02$")


def _kinds(base: Any) -> set[Any]:
    return {base}.union(*(_kinds(kind) for kind in base.__subclasses__()))


# Annotating the two kinds left out changes the layout of the text. Exact types, because isinstance on these classes
# is slow and every expression of a module passes by.
_ANNOTATED = frozenset(_kinds(tirx.Stmt) - {tirx.AttrStmt, tirx.SeqStmt})

Lines = tuple[tuple[int, int, int], ...]
"""(1-based text line, index into the files, 1-based Python line), in text order."""


def print_with_lines(module: Any) -> tuple[str, tuple[str, ...], Lines]:
    """(text, files, lines) of a module: the text is that of ``module.script()``, byte for byte.

    Each statement with a known origin is annotated with a mark; marks are taken out of the text again.
    """
    origins: list[tuple[str, int]] = []
    marks: dict[Any, str] = {}

    def visit(node: Any) -> None:
        if type(node) in _ANNOTATED:
            origin = location_of(node)
            if origin is not None and node not in marks:
                marks[node] = f"\x01{len(origins)}\x02"
                origins.append(origin)

    for function in module.functions.values():
        post_order_visit(function.body, visit)
    text, found = _without_marks(annotated_script(module, marks))
    files = list(dict.fromkeys(origins[index][0] for _, index in found))
    number = {file: index for index, file in enumerate(files)}
    lines = ((line, number[origins[index][0]], origins[index][1]) for line, index in found)
    return text, tuple(files), tuple(dict.fromkeys(lines))


def _without_marks(annotated: str) -> tuple[str, list[tuple[int, int]]]:
    """(plain text, (text line, mark) pairs). A mark on a line of its own belongs to the line below it."""
    text: list[str] = []
    found: list[tuple[int, int]] = []
    pending: list[int] = []
    for line in annotated.split("\n"):
        if "\x01" not in line:
            text.append(line)
            found += [(len(text), mark) for mark in pending]
            pending = []
            continue
        marks = [int(mark) for mark in _MARK.findall(line)]
        if _OWN_LINE.fullmatch(line):
            pending += marks
            continue
        text.append(_BEHIND.sub("", line))
        found += [(len(text), mark) for mark in pending + marks]
        pending = []
    return "\n".join(text), found
