"""`tilescope capture`: run a program and keep the specializations of its kernels."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from tilescope.program import PROGRAM, ProgramCommand, captured_run, say
from tilescope.text.paths import shown, typed
from tilescope_trace.captured.files import read
from tilescope_trace.captured.format import CapturedFileError
from tilescope_trace.captured.keep import Kept, keep, own
from tilescope_trace.captured.merge import CAP
from tilescope_trace.captured.run import ANNOTATE, end_as
from tilescope_trace.errors import UsageError

EPILOG = """\b
Examples:
  tilescope capture -- python bench.py --size 4096
  tilescope capture -- pytest tests/test_gemm.py
  tilescope capture --annotate -- python profiled.py
  tilescope capture -- torchrun --nproc-per-node 8 train.py
"""


@click.command(cls=ProgramCommand, epilog=EPILOG)
@click.option(
    "-o",
    "--output",
    "out",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The captured file.  [default: tilescope.captured.json at the top of each kernel's project]",
)
@click.option(
    "--cap",
    metavar="N",
    type=click.IntRange(min=1),
    default=CAP,
    show_default=True,
    help="Specializations to keep of a kernel.",
)
@click.option(
    "--annotate",
    is_flag=True,
    help="Name the compile around each call of a kernel (tl:ID), for profiles that `timeline` joins exactly.",
)
@click.option("-v", "--verbose", is_flag=True, help="Say what was captured, also when stderr is no terminal.")
@click.pass_context
def command(ctx: click.Context, out: Path | None, cap: int, annotate: bool, verbose: bool) -> int:
    """Run a program and keep what its kernels are compiled with, for every later analysis.

    The program runs as it is, and its exit code is the command's. Arguments, target, pass configs and caller of each
    kernel go to tilescope.captured.json, which is made to be committed: the editor and `facts` use it where neither
    a directive nor the configuration says more.

    With --annotate, torch.profiler and Nsight Systems record around each call of a kernel which compile it is, so
    that `timeline` joins its launches with recordings exactly.
    """
    program = ctx.meta[PROGRAM]
    if not program:
        raise click.UsageError("name the program to run: tilescope capture -- python bench.py", ctx)
    out = None if out is None else _usable(out)
    with tempfile.TemporaryDirectory(prefix="tilescope-annotate-") as log:
        code, seen = captured_run(program, {ANNOTATE: Path(log)} if annotate else None)
    kernels = own(seen, installed=out is not None)
    for kept in keep(kernels, out, cap):
        _tell(kept, verbose=verbose)
    if not kernels:
        say("nothing captured: the program compiled no TileLang kernel", always=verbose)
    elsewhere = {(sight.file, sight.qualname) for sight in seen} - {(sight.file, sight.qualname) for sight in kernels}
    if elsewhere:
        say(f"{_count(len(elsewhere), 'kernel')} of installed packages left out (-o FILE keeps them)", always=verbose)
    return end_as(code)


def _usable(out: Path) -> Path:
    """The file to write, absolute. Raises UsageError for one that cannot be, before the program has run in vain."""
    if out.is_dir():
        raise UsageError(f"{out} is a folder; name a file: -o {typed(out / 'tilescope.captured.json')}")
    if not out.absolute().parent.is_dir():
        raise UsageError(f"cannot write {out}: there is no folder {out.parent}")
    try:
        if out.exists():
            read(out)
    except CapturedFileError as error:
        raise UsageError(str(error)) from None
    return out.absolute()


def _tell(kept: Kept, *, verbose: bool) -> None:
    if kept.problem is not None:
        say(kept.problem, always=True)
    if kept.path is None:
        return
    say(
        f"captured {_count(kept.specializations, 'specialization')} of {_count(kept.kernels, 'kernel')}"
        f" in {shown(str(kept.path))}",
        always=verbose or kept.problem is not None,
    )
    for kernel, number in kept.dropped.items():
        say(f"  {kernel}: {number} more left out (--cap keeps more)", always=verbose)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
