"""`tilescope compare`: two recordings side by side."""

from __future__ import annotations

from pathlib import Path

import click

from tilescope.options import format_option
from tilescope.output import echo_code, echo_json
from tilescope_passdiff.compare import compare
from tilescope_passdiff.render.compare import compare_json, compare_text
from tilescope_trace.store.read import open_recording

DIFFERENT = 1

EPILOG = """\b
Examples:
  tilescope compare before.tscope after.tscope
  tilescope compare sm_80.tscope sm_90a.tscope --lines 0 | less -R
  tilescope compare old.tscope new.tscope --tui
  tilescope compare old.tscope new.tscope --format json

\b
Exit codes:
  0  the compiler makes the same of both
  1  they differ
  2  bad usage or unreadable recording
"""


@click.command(epilog=EPILOG)
@click.argument("a", metavar="A", type=click.Path(path_type=Path))
@click.argument("b", metavar="B", type=click.Path(path_type=Path))
@click.option(
    "--lines",
    type=click.IntRange(0),
    default=40,
    show_default=True,
    help="Most lines of each diff, 0 for all (text only).",
)
@click.option("--tui", is_flag=True, help="Browse the differences in the terminal.")
@format_option
def command(a: Path, b: Path, lines: int, tui: bool, output_format: str) -> int:
    """Compare two recordings: what they were recorded with, passes aligned by name, the first pass behind which they
    differ, layouts and other facts, and the generated source. Versions and targets alone make no difference here:
    only what the compiler makes of the kernel does. Renumbered names count as the same."""
    if tui:
        if output_format == "json":
            raise click.UsageError("--tui is for people, --format json for programs")
        from tilescope_passdiff.tui import run_compare

        return run_compare(a, b)
    with open_recording(a) as old, open_recording(b) as new:
        comparison = compare(old, new)
    if output_format == "json":
        echo_json(compare_json(comparison))
    else:
        echo_code(compare_text(comparison, most=lines))
    return 0 if comparison.same else DIFFERENT
