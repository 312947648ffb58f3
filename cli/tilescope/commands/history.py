"""`tilescope history`: the life of a Python line or a buffer through the passes."""

from __future__ import annotations

from pathlib import Path

import click

from tilescope.options import format_option, recording_argument
from tilescope.output import echo_code, echo_json
from tilescope_passdiff.render.history import history_json
from tilescope_passdiff.render.terminal import history_text
from tilescope_trace.history import of_buffer, of_line
from tilescope_trace.store.read import open_recording

EPILOG = """\b
Examples:
  tilescope history gemm.tscope --line 23
  tilescope history gemm.tscope --buffer A_shared
  tilescope history gemm.tscope --line 7 --file macros.py --format json
"""


@click.command(epilog=EPILOG)
@recording_argument
@click.option("--line", metavar="N", type=click.IntRange(1), help="A line of the kernel's Python file.")
@click.option("--file", metavar="F", help="The file of that line, where it is not the kernel's own.")
@click.option("--buffer", metavar="B", help="A buffer, by its name in Python or as an IR prints it.")
@format_option
def command(recording: Path, line: int | None, file: str | None, buffer: str | None, output_format: str) -> int:
    """Follow a Python line or a buffer through the passes: each step that changed it, with its part of the diff,
    then the generated lines."""
    if (line is None) == (buffer is None):
        raise click.UsageError("give either --line N or --buffer B")
    if file is not None and line is None:
        raise click.UsageError("--file goes with --line")
    with open_recording(recording) as opened:
        history = of_line(opened, line, file) if line is not None else of_buffer(opened, buffer or "")
        if output_format == "json":
            echo_json(history_json(opened, history))
        else:
            echo_code(history_text(opened, history))
    return 0
