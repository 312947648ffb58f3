"""Output of all commands: rich on a terminal, plain text in a pipe, JSON on request."""

from __future__ import annotations

import json
import sys
from typing import Any, NoReturn, TextIO

import click
from rich.console import Console, RenderableType
from rich.text import Text

PLAIN_WIDTH = 10_000
"""Columns where nobody looks at a terminal: wide enough that rich never wraps or shortens."""


class PipedConsole(Console):
    """A console that leaves a closed pipe to the caller, where rich would exit with 1."""

    def on_broken_pipe(self) -> NoReturn:
        """Called by rich inside the except clause."""
        raise BrokenPipeError


def console(file: TextIO | None = None) -> Console:
    """A console on stdout (or ``file``): colours and the terminal's width on a terminal, neither in a pipe."""
    stream = file or sys.stdout
    if stream.isatty():
        return PipedConsole(file=stream, highlight=False, emoji=False, markup=False)
    return PipedConsole(
        file=stream, width=PLAIN_WIDTH, no_color=True, color_system=None, highlight=False, emoji=False, markup=False
    )


def echo(*parts: RenderableType) -> None:
    """Print the parts to stdout, each on lines of its own, without trailing blanks."""
    out = console()
    with out.capture() as captured:
        for part in parts:
            out.print(part, soft_wrap=isinstance(part, (str, Text)) and not sys.stdout.isatty())
    lines = captured.get().split("\n")
    click.echo("\n".join(line.rstrip() for line in lines), nl=False, color=True)


def echo_code(text: Text) -> None:
    """Print lines of code to stdout: too long ones are folded on a terminal, and as they are in a pipe."""
    if sys.stdout.isatty():
        from tilescope_passdiff.render.terminal import folded

        text = folded(text, console().width)
    echo(text)


def echo_json(value: Any) -> None:
    """Print plain JSON values to stdout."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def note(message: str) -> None:
    """Say something on stderr that is no part of the output."""
    click.echo(f"tilescope: {message}", err=True)
