"""`tilescope demo`: what tilescope shows, on bundled kernels, without a GPU."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from rich.text import Text

from tilescope.bundled import bundled, bundled_snapshot
from tilescope.demonstrated import Demonstrated
from tilescope.options import format_option, python_option
from tilescope.output import echo, echo_json
from tilescope.recorder import FOLDER, record_one
from tilescope.session import Session
from tilescope.text.findings import finding_lines
from tilescope.text.paths import own_command, typed
from tilescope.text.source import hinted_source
from tilescope_passdiff.counts import insertions_deletions
from tilescope_passdiff.render.terminal import pass_diff
from tilescope_trace.model import Options, PassRecord
from tilescope_trace.model.public import document, to_public
from tilescope_trace.store.read import Recording, open_recording

EPILOG = """\b
Examples:
  tilescope demo
  tilescope demo --format json
"""

DIFF_LINES, DIFF_COLUMNS = 40, 140
"""Lines of the diff that are shown (the rest is one command away), and their length where there is no terminal."""
LARGEST_PASSES = 8


@dataclass(frozen=True)
class Exhibit:
    """A bundled kernel, its target, and what to look at in its source."""

    name: str
    target: str
    title: str


EXHIBITS = (
    Exhibit("gemm", "cuda:sm_90a", "A GEMM for Hopper: swizzles, registers, TMA, wgmma, warp specialization"),
    Exhibit("attention", "cuda:sm_90a", "Attention for Hopper: two chained GEMMs and a softmax in registers"),
    Exhibit("ascend_gemm", "ascend", "A GEMM for Ascend: fractal layouts in L1, the accumulator in L0C"),
    Exhibit("ascend_vadd", "ascend", "A vector add for Ascend: the unified buffer and the vector unit"),
)


@click.command(epilog=EPILOG)
@python_option
@format_option
def command(python: str | None, output_format: str) -> int:
    """Show hints, passes and a diff of bundled kernels; no GPU needed.

    Compiles a GEMM and an attention kernel for NVIDIA Hopper and two kernels for Ascend, records every pass into
    .tilescope/, and shows the kernels as an editor would, with what the compiler made of them.
    """
    done = asyncio.run(_run(python, quiet=output_format == "json"))
    if output_format == "json":
        echo_json(document("demo", {"recordings": to_public(done)}))
        return _status(done)
    first = Path(done[0].recording)
    if done[0].status == "ok":
        with open_recording(first) as recording:
            echo(*_passes(recording))
            echo(*_diff(recording, first))
    echo(*_next_steps(first))
    if (
        sys.stdin.isatty()
        and sys.stdout.isatty()
        and click.confirm("Open the browser on the GEMM now?", default=True)
    ):
        from tilescope_passdiff.tui import run

        run(first)
    return _status(done)


def _status(done: Sequence[Demonstrated]) -> int:
    return int(any(item.status != "ok" for item in done))


async def _run(python: str | None, *, quiet: bool) -> list[Demonstrated]:
    done = []
    async with Session(python, Path.cwd() / "kernel.py") as session:
        for exhibit in EXHIBITS:
            snapshot = bundled_snapshot(exhibit.name)
            out = FOLDER / f"demo-{exhibit.name}.tscope"
            info, path = await record_one(session, snapshot, Options(targets=(exhibit.target,)), out)
            done.append(Demonstrated(str(path), info.status, info.kernel))
            if not quiet:
                echo(*_heading(exhibit.title, f"{exhibit.name}.py for {exhibit.target}, TileLang {info.tilelang}"))
                echo(*hinted_source(snapshot, info.kernel))
                for finding in info.kernel.findings:
                    echo(*finding_lines(finding))
    return done


def _heading(title: str, detail: str) -> Iterator[Text]:
    yield Text()
    yield Text.assemble((title, "bold"), (f"  {detail}", "dim"))
    yield Text()


def _passes(recording: Recording) -> Iterator[Text]:
    changed = sum(record.changed for record in recording.passes)
    yield from _heading(
        "What the compiler did to the GEMM", f"{len(recording.passes)} passes, {changed} changed the IR"
    )
    counted = list(zip(recording.passes, insertions_deletions(recording), strict=True))
    lowering = [entry for entry in counted if entry[0].phase is not None]
    largest = sorted(lowering, key=lambda entry: -sum(entry[1]))[:LARGEST_PASSES]
    for record, (insertions, deletions) in sorted(largest, key=lambda entry: entry[0].index):
        yield Text.assemble(
            (f"{record.index:>5}  ", "dim"),
            f"{record.label:<36}",
            (f"{f'+{insertions}':>6}", "green"),
            (f"{f'-{deletions}':>6}", "red"),
            (f"{record.duration_ms:>8.1f} ms", "dim"),
        )


def _diff(recording: Recording, path: Path) -> Iterator[Text]:
    record = _interesting(recording)
    if record is None:
        return
    yield from _heading(f"One of them: {record.label}", "copies become TMA loads, the gemm becomes wgmma")
    lines = pass_diff(recording, record, context=0).split("\n")
    width = shutil.get_terminal_size((DIFF_COLUMNS, 0)).columns
    for line in lines[:DIFF_LINES]:
        line.truncate(width, overflow="ellipsis")
        yield line
    if len(lines) > DIFF_LINES:
        rest = len(lines) - DIFF_LINES
        yield Text(f"... {rest} more lines: tilescope diff {typed(path)} --pass {record.label}", "dim")


def _interesting(recording: Recording) -> PassRecord | None:
    return next((record for record in recording.passes if record.changed and record.name == "tl.LowerTileOp"), None)


def _next_steps(path: Path) -> Iterator[Text]:
    yield from _heading("Where to go next", "")
    command = own_command()
    for arguments, what in (
        (f"view {typed(path)}", "browse these passes"),
        (f"show {typed(path)} --generated", "the CUDA source they end in"),
        (f"facts {typed(bundled('gemm'))}", "the same facts as tables"),
        ("facts YOUR_KERNEL.py", "what the compiler makes of yours"),
        ("doctor", "what works on this machine"),
    ):
        yield Text.assemble(f"  {command} {arguments}", (f"    {what}", "dim"))
    yield Text(f"  {command} lsp brings the hints into your editor: the README tells how.", "dim")
