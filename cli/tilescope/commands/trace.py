"""`tilescope trace`: record every pass of a kernel's compilation."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from tilescope.options import format_option, kernel_options, options_of, python_option
from tilescope.output import echo, echo_json
from tilescope.recorder import record_one
from tilescope.session import Session
from tilescope.text.findings import finding_lines
from tilescope_trace.files import read_snapshot
from tilescope_trace.model import Options, RecordingInfo, Snapshot
from tilescope_trace.model.public import document, to_public

EPILOG = """\b
Examples:
  tilescope trace kernel.py
  tilescope trace kernel.py --kernel matmul --set M=4096 -o gemm.tscope
  tilescope trace kernel.py --target ascend --format json
"""


@click.command(epilog=EPILOG)
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@kernel_options(many_targets=False)
@click.option(
    "-o",
    "--output",
    "out",
    metavar="OUT.tscope",
    type=click.Path(path_type=Path),
    help="The recording.  [default: .tilescope/FILE-KERNEL-TARGET-SPECIALIZATION.tscope]",
)
@python_option
@format_option
def command(
    file: Path,
    kernel: str | None,
    target: str | None,
    settings: tuple[str, ...],
    pass_configs: tuple[str, ...],
    out: Path | None,
    python: str | None,
    output_format: str,
) -> int:
    """Record every pass of a kernel's compilation, with facts, generated source and the Python sources.

    The recording is one file and enough by itself on another machine. A kernel that does not compile leaves a
    recording up to the pass that failed, and exit code 1.
    """
    snapshot = read_snapshot(file)
    options = options_of(kernel, [target] if target else [], settings, pass_configs)
    info, path = asyncio.run(_record(snapshot, options, out, python))
    if output_format == "json":
        echo_json(
            document("trace", {"recording": str(path), "status": info.status, "kernel": to_public(info.kernel)})
        )
    else:
        for finding in info.kernel.findings:
            echo(*finding_lines(finding))
        echo(*summary(info, path))
    return 0 if info.status == "ok" else 1


def summary(info: RecordingInfo, path: Path) -> list[str]:
    """What was recorded where, and what to do with it."""
    outcome = "recorded" if info.status == "ok" else f"{info.status}: recorded as far as it went"
    size = path.stat().st_size / 1024
    return [
        f"{info.kernel.qualname} for {info.kernel.target}: {outcome} in {path} ({size:.0f} KiB)",
        f"  tilescope passes {path}    the passes",
        f"  tilescope view {path}    browse them",
    ]


async def _record(
    snapshot: Snapshot, options: Options, out: Path | None, python: str | None
) -> tuple[RecordingInfo, Path]:
    async with Session(python, snapshot.path) as session:
        return await record_one(session, snapshot, options, out)
