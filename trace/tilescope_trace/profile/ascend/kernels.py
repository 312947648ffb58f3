"""Tables with a row for each task: op_summary, task_time (msprof) and kernel_details (torch_npu.profiler)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tilescope_trace.profile.model import Launch
from tilescope_trace.profile.source import Source

from .measured import Columns, Measured
from .table import Row, headers_of, opened
from .tasks import grid_of


@dataclass(frozen=True)
class Layout:
    """Which columns of a table say what. Of alternatives, which tools of different age write, the first that is there
    counts."""

    title: str
    name: str
    kind: str
    start: tuple[str, ...]
    duration: str
    stream: str
    task: str

    @property
    def own(self) -> frozenset[str]:
        """Columns that are no metrics."""
        known = {self.name, self.kind, *self.start, self.duration, self.stream, self.task, *BLOCKS, *DEVICES}
        return frozenset(known | {"Step Id", "Model ID", "Context ID", "task_stop(us)"})

    def fits(self, headers: tuple[str, ...]) -> bool:
        """Whether a table with these columns is one of this layout."""
        wanted = {self.name, self.kind, self.duration}
        return wanted <= set(headers) and any(start in headers for start in self.start)


BLOCKS = ("Block Dim", "Block Num")
DEVICES = ("Device_id", "Device Id")

LAYOUTS = (
    Layout("op_summary", "Op Name", "Task Type", ("Task Start Time(us)", "Start Time(us)"), "Task Duration(us)",
           "Stream ID", "Task ID"),
    Layout("kernel_details", "Name", "Accelerator Core", ("Start Time(us)",), "Duration(us)", "Stream ID", "Task ID"),
    Layout("task_time", "kernel_name", "kernel_type", ("task_start(us)",), "task_time(us)", "stream_id", "task_id"),
)  # fmt: skip


@dataclass(frozen=True)
class Task:
    """A row: the launch without a lane, and the stream it ran on."""

    launch: Launch
    stream: int | None


def layout_of(source: Source) -> Layout | None:
    """The layout of the table in ``source``, None where it is another or no table."""
    headers = headers_of(source)
    return next((layout for layout in LAYOUTS if layout.fits(headers)), None)


def tasks(source: Source, layout: Layout, note: Callable[[str], None]) -> Iterator[Task]:
    """The rows of a table of kernels; ``note`` is told what is left out. Raises ProfileError for a damaged table."""
    with opened(source) as table:
        start = next(start for start in layout.start if start in table.index)
        chosen = [index for index, header in enumerate(table.headers) if header not in layout.own]
        columns = Columns.of([table.headers[index] for index in chosen])
        for row in table:
            metrics = Measured(columns, [row.cells[index] for index in chosen])
            yield Task(_launch(row, layout, start, metrics), row.whole(layout.stream))
        damage = table.damage()
        if damage:
            note(damage)


def _launch(row: Row, layout: Layout, start: str, metrics: Measured) -> Launch:
    return Launch(
        name=row.text(layout.name) or "",
        start_ns=row.ns(start),
        duration_ns=row.ns(layout.duration),
        device=_first(row, DEVICES),
        grid=grid_of(_first(row, BLOCKS)),
        kind=row.text(layout.kind),
        metrics=metrics,
    )


def _first(row: Row, columns: tuple[str, ...]) -> int | None:
    return next((row.whole(column) for column in columns if column in row.table.index), None)
