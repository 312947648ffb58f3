"""What TileLang parses of an indented function: each line without as many columns as the first is indented by."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Collection, Sequence
from functools import cached_property, lru_cache

from tilescope_trace.text_lines import lines_of
from tilescope_worker.wire.facts import Fix

from . import fixes


class Cut:
    """``function`` of the file ``text``, with its decorators, as TileLang cuts it. Lines have the numbers of the
    file."""

    def __init__(self, text: str, function: ast.FunctionDef) -> None:
        self.text = text
        self.function = function
        self.first = min([function.lineno, *(one.lineno for one in function.decorator_list)])
        self._lines = lines_of(text)[self.first - 1 : function.end_lineno]
        self.indent = len(self._lines[0]) - len(self._lines[0].lstrip())
        """Characters that are cut off each line that has as many."""
        self.left = tuple(
            number
            for number, line in enumerate(self._lines, self.first)
            if len(line) >= self.indent and line[: self.indent].strip()
        )
        """Lines that lose more than blanks."""

    def written(self, line: int) -> str:
        """A line as it stands in the file."""
        return self._lines[line - self.first]

    def rest(self, line: int) -> str:
        """What TileLang reads of it."""
        return self.written(line)[self.indent :]

    def breaking(self) -> tuple[int, ...]:
        """The lines without whose beginnings the function does not parse; all ``left`` ones where only several of
        them together make it fail. Empty where it parses."""
        if not self.left or self._read(self.left) is not None or self._whole is None:
            return ()
        return tuple(line for line in self.left if self._read((line,)) is None) or self.left

    def changing(self) -> tuple[int, ...]:
        """The lines without whose beginnings another function is parsed, docstrings and comments aside."""
        if not self.left or self._whole is None:
            return ()
        return tuple(line for line in self.left if self._read((line,)) not in (self._whole, None))

    @cached_property
    def _whole(self) -> str | None:
        """What would be read if the lines on the left lost nothing."""
        return self._read(())

    def _read(self, cut: Collection[int]) -> str | None:
        """What is parsed where of the ``left`` lines only some are cut; None where that does not parse."""
        kept = frozenset(self.left).difference(cut)
        lines = [
            line if number in kept or len(line) < self.indent else line[self.indent :]
            for number, line in enumerate(self._lines, self.first)
        ]
        try:
            tree = ast.parse("\n".join(lines))
        except (SyntaxError, ValueError, RecursionError):
            return None
        return ast.dump(_WithoutTexts().visit(tree))


class _WithoutTexts(ast.NodeTransformer):
    """Takes the text out of strings that stand alone."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return ast.Expr(ast.Constant(""))
        return self.generic_visit(node)


def is_comment(text: str, line: int) -> bool:
    """Whether a line holds nothing but a comment."""
    return line in _comments(text)[0]


def indented(cut: Cut, lines: Sequence[int]) -> tuple[Fix, ...]:
    """The fix that moves lines behind the function's indentation: comments as far in as the code below them. None
    where one of them is part of a string, which would become another."""
    comments, inside = _comments(cut.text)
    if any(line in inside for line in lines):
        return ()
    what = "comment" if comments.issuperset(lines) else "line"
    edits = [fixes.replaced(line, 1, _blanks(cut.written(line)) + 1, _room(cut, line, comments)) for line in lines]
    return (fixes.fix(f"Indent the {what}{'s' if len(lines) > 1 else ''}", *edits),)


def _room(cut: Cut, line: int, comments: Collection[int]) -> str:
    """Blanks for a line: those of the code below a comment where it is far enough in, else the function's and its
    own."""
    text, own = lines_of(cut.text), cut.written(line)
    if line in comments:
        below = next((n for n in range(line + 1, len(text) + 1) if text[n - 1].strip() and n not in comments), line)
        room = text[below - 1][: _blanks(text[below - 1])]
        if len(room) >= cut.indent:
            return room
    return text[cut.first - 1][: cut.indent] + own[: _blanks(own)]


def _blanks(line: str) -> int:
    return len(line) - len(line.lstrip())


_OPENING = frozenset({getattr(tokenize, name, -1) for name in ("FSTRING_START", "TSTRING_START")})
_CLOSING = frozenset({getattr(tokenize, name, -1) for name in ("FSTRING_END", "TSTRING_END")})


@lru_cache(maxsize=8)
def _comments(text: str) -> tuple[frozenset[int], frozenset[int]]:
    """(lines with nothing but a comment, lines that begin within a string)."""
    comments: set[int] = set()
    inside: set[int] = set()
    opened: list[int] = []
    try:
        for one in tokenize.generate_tokens(io.StringIO(text, newline=None).readline):
            if one.type == tokenize.COMMENT and not one.line[: one.start[1]].strip():
                comments.add(one.start[0])
            elif one.type == tokenize.STRING:
                inside.update(range(one.start[0] + 1, one.end[0] + 1))
            elif one.type in _OPENING:
                opened.append(one.start[0])
            elif one.type in _CLOSING and opened:
                inside.update(range(opened.pop() + 1, one.end[0] + 1))
    except (tokenize.TokenError, SyntaxError):
        return frozenset(), frozenset(range(1, len(lines_of(text)) + 1))
    return frozenset(comments), frozenset(inside)
