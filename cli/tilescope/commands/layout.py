"""`tilescope layout`: a picture of where a layout puts each element of a buffer."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import click

from tilescope.options import kernel_options, options_of, python_option
from tilescope.output import console, echo_code, echo_json
from tilescope.text.outcome import not_compiled, without_tilelang
from tilescope.text.paths import shown
from tilescope_passdiff.render.layout import layout_json, layout_svg, layout_text
from tilescope_trace.errors import UsageError
from tilescope_trace.files import read_snapshot
from tilescope_trace.layouts.cells import Grid, grid_of
from tilescope_trace.model import Buffer, Kernel, Options

EPILOG = """\b
Examples:
  tilescope layout kernel.py --buffer A_shared
  tilescope layout kernel.py --buffer C_local --rows 0:32 --columns 0:16
  tilescope layout gemm.tscope --buffer A_shared --format svg -o a_shared.svg
"""


@click.command(epilog=EPILOG)
@click.argument("path", metavar="FILE|REC", type=click.Path(path_type=Path))
@click.option("--buffer", metavar="B", help="The buffer.  [default: the only one with a layout]")
@click.option("--rows", metavar="A:B", default="0:32", show_default=True, help="Rows to show, as a Python slice.")
@click.option("--columns", metavar="A:B", default="0:64", show_default=True, help="Columns to show, alike.")
@click.option("--index", metavar="I,J", default="", help="Indices of the dimensions before the last two: stages.")
@kernel_options(many_targets=False)
@python_option
@click.option(
    "--format", "output_format", type=click.Choice(["text", "svg", "json"]), default="text", show_default=True
)
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Write there, not to stdout.")
def command(
    path: Path,
    buffer: str | None,
    rows: str,
    columns: str,
    index: str,
    kernel: str | None,
    target: str | None,
    settings: tuple[str, ...],
    pass_configs: tuple[str, ...],
    python: str | None,
    output_format: str,
    output: Path | None,
) -> int:
    """Draw a buffer's inferred layout: of a fragment the thread that holds each element, of shared memory the bank.

    Swizzles, copies over threads and Ascend's fractal layouts are drawn from the compiler's own layout.
    """
    shown_rows, shown_columns, leading = _slice(rows, "--rows"), _slice(columns, "--columns"), _indices(index)
    options = options_of(kernel, [target] if target else [], settings, pass_configs)
    kernels = _recorded(path) if path.suffix != ".py" else asyncio.run(_compiled(path, options, python))
    owner, found = _buffer(kernels, buffer, path)
    grid = grid_of(found, owner.target, shown_rows, shown_columns, leading)
    if output is not None:
        _write(grid, output_format, output)
    elif output_format == "json":
        echo_json(layout_json(grid))
    elif output_format == "svg":
        click.echo(layout_svg(grid), nl=False)
    else:
        echo_code(layout_text(grid, console().width))
    return 0


def _write(grid: Grid, output_format: str, output: Path) -> None:
    import json

    made = {
        "svg": lambda: layout_svg(grid),
        "json": lambda: json.dumps(layout_json(grid)) + "\n",
        "text": lambda: layout_text(grid, console().width).plain + "\n",
    }
    try:
        output.write_text(made[output_format](), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {output}: {error.strerror or error}") from None


async def _compiled(path: Path, options: Options, python: str | None) -> Sequence[Kernel]:
    from tilescope.progress import working
    from tilescope.session import Session

    snapshot = read_snapshot(path)
    async with Session(python, snapshot.path, device=True) as session:
        with working(f"compiling {shown(snapshot.path)}"):
            facts = await session.facts(snapshot, options)
    if without_tilelang(facts):
        raise UsageError(f"{shown(snapshot.path)}: {not_compiled([facts])}")
    return facts.kernels


def _recorded(path: Path) -> Sequence[Kernel]:
    from tilescope_trace.store.read import open_recording

    with open_recording(path) as recording:
        return (recording.info.kernel,)


def _buffer(kernels: Sequence[Kernel], name: str | None, path: Path) -> tuple[Kernel, Buffer]:
    """The one buffer of that name that has a layout, with its kernel. Raises UsageError where there is none, or
    several."""
    found = [
        (kernel, buffer)
        for kernel in kernels
        for buffer in kernel.buffers
        if buffer.layout is not None and name in (None, buffer.name)
    ]
    if len(found) == 1:
        return found[0]
    names = dict.fromkeys(buffer.name for _, buffer in found)
    if not found:
        known = dict.fromkeys(b.name for kernel in kernels for b in kernel.buffers if b.layout is not None)
        have = f"; those with one: {', '.join(known)}" if known else "; tilescope facts tells why"
        raise UsageError(f"{path.name} has no {f'buffer {name}' if name else 'buffer'} with a layout{have}")
    if len(names) > 1:
        raise UsageError(f"name a buffer with --buffer: {', '.join(names)}")
    owners = dict.fromkeys(f"{kernel.qualname} (line {buffer.line})" for kernel, buffer in found)
    raise UsageError(f"several buffers are called {name}: {', '.join(owners)}; choose with --kernel")


def _slice(text: str, option: str) -> slice:
    parts = text.split(":")
    try:
        numbers = [int(part) if part.strip() else None for part in parts]
    except ValueError:
        numbers = []
    if len(numbers) == 1 and numbers[0] is not None:
        return slice(numbers[0], numbers[0] + 1 or None)
    if len(numbers) != 2:
        raise click.UsageError(f"{option} {text}: expected A:B, for example {option} 0:16")
    return slice(*numbers)


def _indices(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(",") if part.strip())
    except ValueError:
        raise click.UsageError(f"--index {text}: expected numbers, for example --index 0,1") from None
