"""`tilescope passes`: the passes of a recording."""

from __future__ import annotations

from pathlib import Path

import click

from tilescope.options import format_option, recording_argument
from tilescope.output import echo, echo_json
from tilescope_passdiff.render.json import passes_json
from tilescope_passdiff.render.terminal import pass_table
from tilescope_trace.store.read import open_recording

EPILOG = """\b
Examples:
  tilescope passes gemm.tscope
  tilescope passes gemm.tscope --changed
"""


@click.command(epilog=EPILOG)
@recording_argument
@click.option("--changed", is_flag=True, help="Only passes that changed the IR, or failed (text only).")
@format_option
def command(recording: Path, changed: bool, output_format: str) -> int:
    """List the passes of a recording: phase, nesting, lines changed against the pass's own input, time."""
    with open_recording(recording) as opened:
        if output_format == "json":
            echo_json(passes_json(opened))
        else:
            echo(pass_table(opened, changed_only=changed))
    return 0
