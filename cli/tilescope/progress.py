"""Progress on stderr, for a person at a terminal; silence elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tilescope_worker.wire.messages import PassBegan, PassEnded

from .output import console

USUAL_PASSES = 86
"""Passes of a CUDA or Ascend lowering, about: the bar's length until the compiler turns out to run more."""


@contextmanager
def passes(kernel: str) -> Iterator[Callable[[PassBegan | PassEnded], None]]:
    """A bar that advances with the passes of ``kernel``; feed it the recorder's events."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console(sys.stderr), transient=True) as progress:
        task = progress.add_task(f"compiling {kernel}", total=USUAL_PASSES)

        def advance(event: PassBegan | PassEnded) -> None:
            count = progress.tasks[0].completed + isinstance(event, PassEnded)
            total = max(USUAL_PASSES, count)
            progress.update(task, completed=count, total=total, description=f"{kernel}: {event.name}")

        yield advance


@contextmanager
def working(message: str) -> Iterator[Callable[[str], None]]:
    """A spinner with ``message`` while the block runs; call the value to change the message."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    with console(sys.stderr).status(message) as status:
        yield lambda text: status.update(text)


@contextmanager
def files(count: int) -> Iterator[Callable[[str], None]]:
    """A bar over ``count`` files; call the value with the name of each that is done."""
    if not sys.stderr.isatty() or not count:
        yield lambda _: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=console(sys.stderr), transient=True) as progress:
        task = progress.add_task("", total=count)
        yield lambda name: progress.update(task, advance=1, description=name)
