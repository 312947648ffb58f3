"""`tilescope show`: the IR after a pass, or the generated source."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from tilescope import completing
from tilescope.options import format_option, recording_argument
from tilescope.output import echo_code, echo_json
from tilescope_passdiff.render.json import generated_json, generated_text, pass_text_json
from tilescope_passdiff.render.terminal import generated_source, pass_text
from tilescope_trace.store.read import Recording, open_recording
from tilescope_trace.store.select import find_pass

EPILOG = """\b
Examples:
  tilescope show gemm.tscope --pass LowerTileOp
  tilescope show gemm.tscope --pass tl.Simplify#2
  tilescope show gemm.tscope --generated > gemm.cu
  tilescope show gemm.tscope --generated --places | less
"""


@click.command(epilog=EPILOG)
@recording_argument
@click.option(
    "--pass",
    "pass_",
    metavar="P",
    shell_complete=completing.passes,
    help="A pass by index, name, or name#2 where a name repeats.",
)
@click.option("--generated", is_flag=True, help="The generated device source; in a pipe exactly that.")
@click.option(
    "--places/--no-places",
    default=None,
    help="With --generated: Python line and role of each line. By default only on a terminal.",
)
@format_option
def command(recording: Path, pass_: str | None, generated: bool, places: bool | None, output_format: str) -> int:
    """Print the IR after a pass, or the generated source, with the Python lines that each line comes from."""
    if generated == (pass_ is not None):
        raise click.UsageError("give either --pass P or --generated")
    if places is not None and not generated:
        raise click.UsageError("--places goes with --generated")
    with open_recording(recording) as opened:
        if pass_ is None:
            _show_generated(opened, sys.stdout.isatty() if places is None else places, output_format)
        elif output_format == "json":
            echo_json(pass_text_json(opened, find_pass(opened, pass_)))
        else:
            echo_code(pass_text(opened, find_pass(opened, pass_)))
    return 0


def _show_generated(opened: Recording, places: bool, output_format: str) -> None:
    if output_format == "json":
        echo_json(generated_json(opened))
    elif places or sys.stdout.isatty():
        echo_code(generated_source(opened, places=places))
    else:
        click.echo(generated_text(opened), nl=False)
