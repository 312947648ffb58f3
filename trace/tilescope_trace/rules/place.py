"""From a line number to the characters of the line that a finding underlines."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import Protocol

from tilescope_trace.text_lines import lines_of


@dataclass(frozen=True)
class Span:
    """1-based lines and columns (code points); the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


class Where(Protocol):
    """Characters of one line: 1-based line and columns (code points), the end exclusive."""

    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def end_column(self) -> int: ...


def line_text(text: str, line: int) -> str:
    """Line ``line`` (1-based) without its end; empty outside the text."""
    lines = lines_of(text)
    return lines[line - 1] if 1 <= line <= len(lines) else ""


def line_span(text: str, line: int) -> Span:
    """The code on ``line``: without indentation, trailing blanks and a trailing comment."""
    content = line_text(text, line)
    start = len(content) - len(content.lstrip())
    code = re.sub(r"\s+#[^\"']*$", "", content.rstrip())
    end = len(code) if len(code) > start else len(content.rstrip())
    return Span(line, start + 1, line, max(end, start) + 1)


def name_span(text: str, line: int, name: str) -> Span:
    """The first whole-word ``name`` on ``line``, or all code on the line where it does not occur."""
    found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", line_text(text, line))
    if found is None:
        return line_span(text, line)
    return Span(line, found.start() + 1, line, found.end() + 1)


def first_line_span(text: str) -> Span:
    """The first line that has anything on it, for findings about the whole file."""
    for number, content in enumerate(lines_of(text), start=1):
        if content.strip():
            return line_span(text, number)
    return Span(1, 1, 1, 1)


_CALLEES = {"copy": r"copy", "gemm": r"gemm", "reduce": r"reduce", "fill": r"clear|fill", "atomic": r"atomic"}


def statement_span(tree: ast.Module | None, text: str, line: int, operation: str | None) -> Span:
    """The call of ``operation`` on ``line``; without one the whole simple statement that begins there, or all code on
    the line."""
    if tree is None:
        return line_span(text, line)
    here = [node for node in ast.walk(tree) if getattr(node, "lineno", 0) == line]
    pattern = _CALLEES.get(operation or "")
    calls = [node for node in here if isinstance(node, ast.Call)]
    named = [node for node in calls if pattern and re.search(pattern, ast.unparse(node.func))]
    simple = [node for node in here if isinstance(node, ast.stmt) and not hasattr(node, "body")]
    found: ast.expr | ast.stmt | None = next(iter(named), None) or next(iter(simple), None)
    if found is None or found.end_lineno is None or found.end_col_offset is None:
        return line_span(text, line)
    return Span(
        line,
        _characters(text, line, found.col_offset) + 1,
        found.end_lineno,
        _characters(text, found.end_lineno, found.end_col_offset) + 1,
    )


def _characters(text: str, line: int, offset: int) -> int:
    """Code points in the first ``offset`` bytes of a line."""
    return len(line_text(text, line).encode()[:offset].decode(errors="replace"))


def enclosing_loop(tree: ast.Module | None, line: int | None, function: str) -> int | None:
    """The line of the innermost ``for`` around ``line`` over a call of ``function``, None without one."""
    found = [
        node.lineno
        for node in (ast.walk(tree) if tree is not None and line is not None else ())
        if isinstance(node, ast.For) and node.lineno <= (line or 0) <= (node.end_lineno or 0)
        if isinstance(node.iter, ast.Call) and ast.unparse(node.iter.func).rpartition(".")[2] == function
    ]
    return max(found, default=None)
