"""`tilescope diff`: what a pass changed."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from tilescope import completing
from tilescope.options import format_option, recording_argument
from tilescope.output import echo_code, echo_json
from tilescope_passdiff.render.json import diff_json
from tilescope_passdiff.render.terminal import pass_diff
from tilescope_passdiff.render.unified import plain_diff
from tilescope_trace.model import PassRecord
from tilescope_trace.store.read import open_recording
from tilescope_trace.store.select import find_pass

EPILOG = """\b
Examples:
  tilescope diff gemm.tscope --pass LayoutInference
  tilescope diff gemm.tscope --pass 23 --context 10
  tilescope diff gemm.tscope --all --hide-renumbering | less -R
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
@click.option("--all", "every", is_flag=True, help="All passes that changed the IR, or failed, in order.")
@click.option(
    "--context", type=click.IntRange(0), default=3, show_default=True, help="Unchanged lines around a change."
)
@click.option("--hide-renumbering", is_flag=True, help="Treat lines as equal that differ only in name suffixes.")
@click.option("--hide-indentation", is_flag=True, help="Treat lines as equal that differ only in their indentation.")
@format_option
def command(
    recording: Path,
    pass_: str | None,
    every: bool,
    context: int,
    hide_renumbering: bool,
    hide_indentation: bool,
    output_format: str,
) -> int:
    """Show what a pass changed, against the pass's own input: a unified diff, coloured to the word on a terminal.
    Above it stand the layouts that the pass attached; each hunk tells what of it only moved or was indented."""
    if every == (pass_ is not None):
        raise click.UsageError("give either --pass P or --all")
    hidden = {"hide_renumbering": hide_renumbering, "hide_indentation": hide_indentation}
    with open_recording(recording) as opened:
        records: Sequence[PassRecord] = (
            [record for record in opened.passes if record.changed or record.status == "failed"]
            if pass_ is None
            else [find_pass(opened, pass_)]
        )
        if output_format == "json":
            echo_json(diff_json(opened, records, context=context, **hidden))
            return 0
        for number, record in enumerate(records):
            if number:
                click.echo()
            if sys.stdout.isatty():
                echo_code(pass_diff(opened, record, context=context, **hidden))
            else:
                click.echo(plain_diff(opened, record, context=context, **hidden), nl=False)
    return 0
