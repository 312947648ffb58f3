"""`tilescope trace`: record every pass of a kernel's compilation."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from tilescope.editing import FOLDER as EDITS
from tilescope.editing import run_edited
from tilescope.options import device_compile_option, format_option, kernel_options, options_of, python_option
from tilescope.output import echo, echo_json
from tilescope.program import PROGRAM, ProgramCommand, captured_run, say
from tilescope.recorder import FOLDER, prepare, record_one
from tilescope.session import Session
from tilescope.text.findings import finding_lines
from tilescope.text.paths import typed
from tilescope.traced import INDEX, choose, program_summary, record_all
from tilescope_trace.captured.keep import own
from tilescope_trace.captured.run import end_as
from tilescope_trace.errors import UsageError
from tilescope_trace.files import read_snapshot
from tilescope_trace.findings_in_cells import in_cells
from tilescope_trace.model import Options, RecordingInfo, Snapshot
from tilescope_trace.model.public import document, to_public

EPILOG = """\b
Examples:
  tilescope trace kernel.py
  tilescope trace kernel.py --kernel matmul --set M=4096 -o gemm.tscope
  tilescope trace kernel.py --target ascend --format json
  tilescope trace -o recordings -- python bench.py --size 4096
  tilescope trace --edit -- python bench.py --size 4096
"""

_OF_A_FILE = (
    ("FILE", "file"),
    ("--target", "target"),
    ("--set", "settings"),
    ("--pass-config", "pass_configs"),
    ("--device-compile", "device_compile"),
    ("--python", "python"),
)


@click.command(cls=ProgramCommand, epilog=EPILOG)
@click.argument("file", metavar="FILE", required=False, type=click.Path(path_type=Path))
@kernel_options(many_targets=False)
@click.option(
    "-o",
    "--output",
    "out",
    metavar="OUT",
    type=click.Path(path_type=Path),
    help="The recording; for a program, the folder of its recordings."
    "  [default: .tilescope/FILE-KERNEL-TARGET-SPECIALIZATION.tscope]",
)
@click.option(
    "--edit",
    is_flag=True,
    help="Write the generated sources of a program to files, and compile what is edited there."
    "  [folder: .tilescope/edits]",
)
@device_compile_option
@python_option
@format_option
@click.option("-v", "--verbose", is_flag=True, help="List a program's kernels also when stderr is no terminal.")
@click.pass_context
def command(
    ctx: click.Context,
    file: Path | None,
    kernel: str | None,
    target: str | None,
    settings: tuple[str, ...],
    pass_configs: tuple[str, ...],
    out: Path | None,
    edit: bool,
    device_compile: bool,
    python: str | None,
    output_format: str,
    verbose: bool,
) -> int:
    """Record every pass of a kernel's compilation, with facts, generated source and the Python sources.

    The recording is one file and enough by itself on another machine. A kernel that does not compile leaves a
    recording up to the pass that failed, and exit code 1.

    With a program (after --) each kernel that it compiles is recorded, once the program has ended: its output and its
    exit code are left as they are, and OUT/index.json tells what became of each kernel.

    With --edit nothing is recorded: each source that the program's kernels become is written to OUT. The next run
    compiles what was edited there; where TileLang generates another source by then, both changes are merged.
    """
    if ctx.meta[PROGRAM]:
        given = [word for word, value in _OF_A_FILE if ctx.params[value]]
        if given or output_format != "text":
            what = given[0] if given else "--format"
            raise click.UsageError(f"{what} is for a file: a program says itself what it compiles", ctx)
        if edit:
            if kernel:
                raise click.UsageError("--kernel chooses what is recorded, and --edit records nothing", ctx)
            return end_as(run_edited(ctx.meta[PROGRAM], out or EDITS))
        return _record_program(ctx.meta[PROGRAM], kernel, out or FOLDER, verbose=verbose)
    if edit:
        raise click.UsageError("--edit needs a program after --, which compiles the kernels", ctx)
    if file is None:
        raise click.UsageError("name a kernel file, or a program after --", ctx)
    snapshot = read_snapshot(file)
    options = replace(
        options_of(kernel, [target] if target else [], settings, pass_configs), device_compile=device_compile
    )
    info, path = asyncio.run(_record(snapshot, options, out, python))
    if output_format == "json":
        echo_json(
            document("trace", {"recording": str(path), "status": info.status, "kernel": to_public(info.kernel)})
        )
    else:
        for finding in info.kernel.findings:
            told = in_cells(finding, snapshot.cells, snapshot.path) if snapshot.cells is not None else finding
            echo(*finding_lines(told))
        echo(*summary(info, path))
    return 0 if info.status == "ok" else 1


def summary(info: RecordingInfo, path: Path) -> list[str]:
    """What was recorded where, and what to do with it."""
    outcome = "recorded" if info.status == "ok" else f"{info.status}: recorded as far as it went"
    size = path.stat().st_size / 1024
    arguments = info.kernel.specialization.args
    assumed = [f"{name}={given.value}" for name, given in arguments.items() if given.origin == "assumed"]
    return [
        f"{info.kernel.qualname} for {info.kernel.target}: {outcome} in {path} ({size:.0f} KiB)",
        *([f"  nothing gives these arguments, so they are assumed: {', '.join(assumed)}"] if assumed else []),
        f"  tilescope passes {typed(path)}    the passes",
        f"  tilescope view {typed(path)}    browse them",
    ]


def _record_program(program: Sequence[str], kernel: str | None, folder: Path, *, verbose: bool) -> int:
    prepare(folder / INDEX)
    code, seen = captured_run(program)
    try:
        found = asyncio.run(record_all(choose(own(seen, installed=True), kernel), folder))
        index = document("traced", {"program": list(program), "kernels": to_public(found)})
        (folder / INDEX).write_text(json.dumps(index, indent=1) + "\n", encoding="utf-8")
    except (UsageError, OSError) as error:
        say(f"not recorded: {error}", always=True)
    else:
        for line in program_summary(found, folder):
            say(line, always=verbose)
    return end_as(code)


async def _record(
    snapshot: Snapshot, options: Options, out: Path | None, python: str | None
) -> tuple[RecordingInfo, Path]:
    async with Session(python, snapshot.path, device=True) as session:
        return await record_one(session, snapshot, options, out)
