"""`tilescope profile`: where the time inside kernels goes, by clock stamps."""

from __future__ import annotations

from pathlib import Path

import click

from tilescope.ascend import instructions
from tilescope.output import echo
from tilescope.profiling import Wanted, no_device, profiled
from tilescope.program import PROGRAM, ProgramCommand
from tilescope.text.stamps import summary
from tilescope_trace.captured.run import end_as
from tilescope_trace.errors import UsageError
from tilescope_trace.profile.stamps.plan import BLOCKS, CAPACITY

EPILOG = """\b
Examples:
  tilescope profile -- python bench.py
  tilescope profile --kernel 'matmul*' -o profile -- python bench.py -n 10
  tilescope profile --recording gemm.tscope -- python bench.py
  tilescope profile --ascend -- python bench.py
"""


@click.command(cls=ProgramCommand, epilog=EPILOG)
@click.option(
    "--kernel",
    "kernels",
    metavar="GLOB",
    multiple=True,
    help="Kernels to put stamps in, by name (matmul.main, main) or symbol (main_kernel).  [default: all]",
)
@click.option(
    "--blocks",
    metavar="N",
    type=click.IntRange(1, 1024),
    default=BLOCKS,
    show_default=True,
    help="Blocks to sample of each launch, spread evenly over the grid.",
)
@click.option(
    "--stamps",
    "capacity",
    metavar="N",
    type=click.IntRange(64, 1 << 20),
    default=CAPACITY,
    show_default=True,
    help="Stamps that a warp has room for; later ones are missing, and the profile says so.",
)
@click.option(
    "--recording",
    "recordings",
    metavar="REC",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A recording of a kernel of the program: it then runs once only, and what stamps cost is not measured.",
)
@click.option(
    "-o",
    "--output",
    "out",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("tilescope-profile"),
    show_default=True,
    help="The folder of the profile and its recordings.",
)
@click.option("--ascend", is_flag=True, help="Run nothing: print the commands that profile the program on Ascend.")
@click.pass_context
def command(
    ctx: click.Context,
    kernels: tuple[str, ...],
    blocks: int,
    capacity: int,
    recordings: tuple[Path, ...],
    out: Path,
    ascend: bool,
) -> int:
    """Run a program with clock stamps in its kernels, and write where the time of their warps goes.

    The program runs twice: as it is, to record its kernels and to time them, and with stamps around each tile
    operation and wait in a few blocks. Kernels keep their parameters and their results. Needs a CUDA device; profiles
    made elsewhere are read by `tilescope timeline`.
    """
    program = ctx.meta[PROGRAM]
    if not program:
        raise click.UsageError("name the program to run: tilescope profile -- python bench.py", ctx)
    if ascend:
        echo(*instructions(program))
        return 0
    problem = no_device()
    if problem is not None:
        raise UsageError(
            f"{problem}, so no kernel can run with stamps; run this where the program runs."
            " For Ascend: tilescope profile --ascend -- CMD"
        )
    found = profiled(Wanted(program, kernels, blocks, capacity, recordings), out)
    for line in summary(found.profile, found.path):
        click.echo(line, err=True)
    return end_as(found.code)
