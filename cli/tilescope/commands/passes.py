"""`tilescope passes`: the passes of a recording."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
from rich.console import RenderableType

from tilescope import completing
from tilescope.options import format_option
from tilescope.output import echo, echo_json
from tilescope.text.findings import finding_lines
from tilescope.text.passes import explained
from tilescope_passdiff.render.json import explain_json, passes_json
from tilescope_passdiff.render.terminal import pass_table
from tilescope_trace.passes import find
from tilescope_trace.store.read import Recording, open_recording

EPILOG = """\b
Examples:
  tilescope passes gemm.tscope
  tilescope passes gemm.tscope --all
  tilescope passes --explain LayoutInference
"""


@click.command(epilog=EPILOG)
@click.argument("recording", metavar="[REC]", required=False, type=click.Path(path_type=Path))
@click.option("--all", "every", is_flag=True, help="Also passes that changed nothing (JSON always has them).")
@click.option("--changed", is_flag=True, hidden=True, help="The default now.")
@click.option(
    "--explain",
    "name",
    metavar="NAME",
    shell_complete=completing.passes,
    help="Say what a pass is for; needs no recording.",
)
@format_option
def command(recording: Path | None, every: bool, changed: bool, name: str | None, output_format: str) -> int:
    """List the passes of a recording that changed the IR, or failed: phase, nesting, lines changed against the pass's
    own input, time, and in a line what the pass did (cut to the terminal's width, whole in a pipe)."""
    if (recording is None) == (name is None):
        raise click.UsageError("give either a recording or --explain NAME")
    if every and changed:
        raise click.UsageError("--all and --changed exclude each other")
    if recording is None:
        info = find(name or "")
        if output_format == "json":
            echo_json(explain_json(info))
        else:
            echo(*explained(info))
        return 0
    with open_recording(recording) as opened:
        if output_format == "json":
            echo_json(passes_json(opened))
        else:
            echo(pass_table(opened, every=every), *_why_none(opened))
    return 0


def _why_none(recording: Recording) -> Iterator[RenderableType]:
    """What stopped a compile before its first pass; a pass that failed says so in the table."""
    if not recording.passes:
        for finding in recording.info.kernel.findings:
            if finding.severity == "error":
                yield from finding_lines(finding)
