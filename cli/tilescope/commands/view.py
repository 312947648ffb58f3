"""`tilescope view`: browse a recording, or a kernel file, in the terminal."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import click

from tilescope.options import format_option, kernel_options, options_of, python_option
from tilescope.output import note
from tilescope_trace.errors import UsageError
from tilescope_trace.files import read_snapshot
from tilescope_trace.model import Options

EPILOG = """\b
Examples:
  tilescope view gemm.tscope
  tilescope view kernel.py --kernel matmul --set M=4096

Keys: j and k move, n and p go to the next and previous changed pass, / searches, ? shows all keys, q quits.
"""


@click.command(epilog=EPILOG)
@click.argument("path", metavar="FILE|REC", type=click.Path(path_type=Path))
@kernel_options(many_targets=False)
@python_option
@format_option
def command(
    path: Path,
    kernel: str | None,
    target: str | None,
    settings: tuple[str, ...],
    pass_configs: tuple[str, ...],
    python: str | None,
    output_format: str,
) -> int:
    """Browse a recording in the terminal: passes, what each changed, and the kernel's source.

    A kernel file is recorded first, into .tilescope/; the options name the kernel, as in tilescope trace.
    """
    if output_format == "json":
        raise click.UsageError(
            "view is for people; read a recording with tilescope passes, show and diff --format json"
        )
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("view needs a terminal; tilescope passes and tilescope diff print what it shows")
    status = 0
    if path.suffix == ".py":
        options = options_of(kernel, [target] if target else [], settings, pass_configs)
        status, path = asyncio.run(_record(path, options, python))
    from tilescope_passdiff.tui import run

    return run(path) or status


async def _record(path: Path, options: Options, python: str | None) -> tuple[int, Path]:
    from tilescope.recorder import record_one
    from tilescope.session import Session

    snapshot = read_snapshot(path)
    async with Session(python, snapshot.path) as session:
        info, recording = await record_one(session, snapshot, options, None)
    for finding in info.kernel.findings:
        note(f"{finding.code}: {finding.message}")
    return int(info.status != "ok"), recording
