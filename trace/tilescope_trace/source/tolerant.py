"""Text under the cursor to a syntax tree, whether or not it parses.

There is one tree type for everything downstream: where Python's own parser refuses the text, the broken statements
are completed or blanked line by line (``recovery``), so that intact kernels keep their lines, columns and facts.
"""

from __future__ import annotations

import ast
import functools
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tilescope_trace.parsing import parse as parse_text
from tilescope_trace.text_lines import lines_of

from .recovery import mended
from .reparse import Parser, Tree, settled

_SURROGATE = re.compile(r"[\ud800-\udfff]")


@dataclass(frozen=True)
class SyntaxProblem:
    """A syntax error as Python itself reports it; 1-based lines and code point columns, exclusive end."""

    message: str
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, eq=False)
class Parsed:
    """A syntax tree and the lines it came from (without line ends), also where ``problems`` made repairs necessary.
    Nodes that were taken over from an older text may have moved (``moves``): ``line`` says where a line of theirs is
    in ``lines``. Compared and hashed by identity."""

    tree: ast.Module
    lines: tuple[str, ...]
    problems: tuple[SyntaxProblem, ...] = ()
    placed: Tree | None = None

    @functools.cached_property
    def line(self) -> Callable[[int], int]:
        """Where a line of the tree is in the text."""
        return (lambda line: line) if self.placed is None else self.placed.line

    @property
    def moves(self) -> bool:
        """Whether nodes are at other lines than they say."""
        return self.placed is not None and self.placed.moves

    def column(self, line: int, offset: int) -> int:
        """The 1-based code point column of a UTF-8 byte offset, as in ``ast`` nodes, on a 1-based line; never beyond
        the line's end, though a completed statement of the tree may be."""
        text = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        if text.isascii():
            return min(offset, len(text)) + 1
        return len(text.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "replace")) + 1

    def span(self, node: ast.AST) -> tuple[int, int, int]:
        """Line (as the node says), column and exclusive end column of a node; one that goes over several lines ends
        with its first."""
        place: Any = node
        line: int = place.lineno
        at = self.line(line)
        start = self.column(at, place.col_offset)
        if place.end_lineno == line:
            return line, start, self.column(at, place.end_col_offset)
        return line, start, max(start + 1, len(self.lines[at - 1].rstrip()) + 1)

    def source(self, node: ast.AST) -> str:
        """The text of a node on one line, with runs of white space as one blank."""
        place: Any = node
        first, last = self.line(place.lineno), self.line(place.end_lineno)
        start, end = self.column(first, place.col_offset) - 1, self.column(last, place.end_col_offset) - 1
        if first == last:
            text: str = self.lines[first - 1][start:end]
            return text
        parts = [self.lines[first - 1][start:], *self.lines[first : last - 1], self.lines[last - 1][:end]]
        return " ".join(part.strip() for part in parts if part.strip())


@functools.lru_cache(maxsize=8)
def parse(text: str) -> Parsed:
    """The tree of any text whatsoever, whose lines are those of the text. Never raises; an empty module where nothing
    can be saved. Kept, since many ask for the newest texts: the tree must not be changed, and shares nodes with those
    of similar texts."""
    parsed = read(text)
    if not parsed.moves or parsed.placed is None:
        return parsed
    return replace(parsed, tree=ast.Module(settled(parsed.placed, _parse_strictly), []), placed=None)


def prepare(text: str, stopped: Callable[[], bool]) -> None:
    """Do what `parse` has to do for a text until it is ``stopped``: for a long one that takes a while."""
    parsed = read(text)
    if parsed.moves and parsed.placed is not None:
        settled(parsed.placed, _parse_strictly, stopped)
    if not stopped():
        parse(text)


@functools.lru_cache(maxsize=8)
def read(text: str) -> Parsed:
    """As `parse`, but what an edit has moved is taken over with the lines it had: for those who ask `Parsed.line`."""
    lines = lines_of(text.removeprefix("\ufeff"))
    usual = text.isascii() and "\0" not in text
    clean = lines if usual else _clean(lines)
    problem = None if usual else _unreadable(lines)
    try:
        placed = _tree(clean)
        return Parsed(ast.Module(placed.body, []), lines, (problem,) if problem else (), placed)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        problem = problem or _problem(error, lines)
    try:
        placed = _tree(mended(list(clean), _parse_strictly), clean)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        placed = Tree((), [], [])
    return Parsed(ast.Module(placed.body, []), lines, (problem,), placed)


def _clean(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines without what no Python source may contain."""
    return tuple(
        line if line.isascii() and "\0" not in line else _SURROGATE.sub("\ufffd", line).replace("\0", " ")
        for line in lines
    )


def _parse_strictly(text: str) -> ast.Module:
    with warnings.catch_warnings():
        # Doubtful escapes and the like are for the person's linter, not for our standard error.
        warnings.simplefilter("ignore")
        return parse_text(text)


_tree = Parser(_parse_strictly)


def _unreadable(lines: Sequence[str]) -> SyntaxProblem | None:
    """Characters that no Python source may contain; Python gives no position for them."""
    for number, line in enumerate(lines, 1):
        if "\0" in line:
            column = line.index("\0") + 1
            return SyntaxProblem("source code cannot contain null bytes", number, column, number, column + 1)
        if not line.isascii() and (match := _SURROGATE.search(line)):
            column = match.start() + 1
            return SyntaxProblem("source code cannot contain lone surrogates", number, column, number, column + 1)
    return None


def _problem(error: Exception, lines: Sequence[str]) -> SyntaxProblem:
    if not isinstance(error, SyntaxError):
        return SyntaxProblem("too deeply nested for the Python parser", 1, 1, 1, len(lines[0]) + 1)
    line = min(max(error.lineno or 1, 1), len(lines))
    width = len(lines[line - 1])
    column = min(max(error.offset or 1, 1), width + 1)
    end_line, end_column = error.end_lineno or line, error.end_offset or 0
    if not line <= end_line <= len(lines) or (end_line == line and end_column <= column):
        end_line, end_column = line, column + 1
    end_column = max(1, min(end_column, max(len(lines[end_line - 1]) + 1, 2)))
    if (end_line, end_column) <= (line, column):
        end_line, end_column = line, column + 1
    return SyntaxProblem(error.msg or "invalid syntax", line, column, end_line, end_column)
