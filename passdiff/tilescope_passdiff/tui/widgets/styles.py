"""Rich styles of a palette. Without colour, what colour says is said by bold, underlined and reversed text."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from io import StringIO
from typing import cast

from rich.console import Console
from rich.style import Style

from tilescope_passdiff.tui.palette import Palette
from tilescope_passdiff.tui.syntax import Kind

CONSOLE = Console(color_system="truecolor", width=500, file=StringIO())
"""Turns Rich's texts into segments; nothing is ever printed on it."""


@dataclass(frozen=True)
class Styles:
    """Styles of text (``text``, ``dim`` ...), of signs and marks, and of what lies behind a line (``cursor`` ...)."""

    text: Style
    dim: Style
    bold: Style
    inserted: Style
    deleted: Style
    changed: Style
    error: Style
    heading: Style
    pointer: Style
    bar: Style
    thumb: Style
    resting: Style
    cursor: Style
    insert_row: Style
    insert_word: Style
    delete_row: Style
    delete_word: Style
    moved: Style
    moved_row: Style
    match: Style
    current_match: Style
    linked: Style
    syntax: dict[Kind, Style]

    def named(self, name: str) -> Style:
        """The style of text that is called ``name``: ``dim``, ``error``, ``keyword`` ..."""
        found = self.syntax.get(cast(Kind, name))
        style: Style = self.text + found if found is not None else getattr(self, name)
        return style

    @staticmethod
    @lru_cache(maxsize=8)
    def of(palette: Palette, monochrome: bool) -> Styles:
        """The styles of ``palette``."""

        def ink(colour: str, *, bold: bool | None = None) -> Style:
            return Style(color=colour, bgcolor=palette.background, bold=bold)

        def behind(colour: str, *, underline: bool | None = None) -> Style:
            return Style(bgcolor=colour, underline=underline)

        return Styles(
            text=ink(palette.text),
            dim=ink(palette.dim),
            bold=ink(palette.text, bold=True),
            inserted=ink(palette.inserted, bold=True),
            deleted=ink(palette.deleted, bold=True),
            changed=ink(palette.changed, bold=True),
            error=ink(palette.error, bold=True),
            heading=ink(palette.dim, bold=True),
            pointer=ink(palette.accent, bold=True),
            bar=Style(color=palette.bars, bgcolor=palette.bar),
            thumb=Style(color=palette.bars, bgcolor=palette.bar),
            resting=ink(palette.dim, bold=True),
            cursor=Style(bgcolor=palette.cursor, bold=True if monochrome else None),
            insert_row=behind(palette.insert_row),
            insert_word=behind(palette.insert_word, underline=monochrome or None),
            delete_row=behind(palette.delete_row),
            delete_word=behind(palette.delete_word, underline=monochrome or None),
            moved=ink(palette.moved, bold=True),
            moved_row=behind(palette.moved_row),
            match=Style(color=palette.text, bgcolor=palette.match, reverse=monochrome or None),
            current_match=Style(
                color=palette.background, bgcolor=palette.changed, bold=True, reverse=monochrome or None
            ),
            linked=behind(palette.linked),
            syntax={
                "keyword": Style(color=palette.keyword),
                "builtin": Style(color=palette.builtin),
                "string": Style(color=palette.string),
                "number": Style(color=palette.number),
                "comment": Style(color=palette.comment, italic=True),
            },
        )
