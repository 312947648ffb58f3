"""Commands that run a program: what comes after ``--`` is the program's, untouched."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from tilescope_trace.captured.parts import Sight, read_parts, sights
from tilescope_trace.captured.run import PARTS, run

PROGRAM = "tilescope.program"


class ProgramCommand(click.Command):
    """A command that finds the words after ``--`` in ``ctx.meta[PROGRAM]``, an empty tuple where there is no
    ``--``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the program away before click reads options."""
        end = args.index("--") if "--" in args else len(args)
        ctx.meta[PROGRAM] = tuple(args[end + 1 :])
        if end < len(args) and not args[end + 1 :]:
            raise click.UsageError("no program after --", ctx)
        return super().parse_args(ctx, args[:end])

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Say in the usage line where the program goes."""
        return [*super().collect_usage_pieces(ctx), "-- CMD..."]


def captured_run(command: Sequence[str], more: Mapping[str, Path] | None = None) -> tuple[int, list[Sight]]:
    """Run a program with the hook, and ``more`` of them: its return code and what was seen of its kernels. Raises
    UsageError when it cannot be started."""
    parts = Path(tempfile.mkdtemp(prefix="tilescope-capture-"))
    try:
        code = run(command, {PARTS: parts, **(more or {})})
        return code, sights(read_parts(parts))
    finally:
        shutil.rmtree(parts, ignore_errors=True)


def say(message: str, *, always: bool = False) -> None:
    """A line on stderr for a person at a terminal, or ``always``: the program's own output is left alone."""
    if always or sys.stderr.isatty():
        click.echo(f"tilescope: {message}", err=True)
