"""The folder of one run: ``PROF_*`` of msprof, ``*_ascend_pt`` of torch_npu.profiler. Its files tell the same run
several times over; each launch is taken once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec.structs import replace

from tilescope_trace.profile.ascend.kernels import Task, layout_of, tasks
from tilescope_trace.profile.ascend.stored import TEXTS, Stored
from tilescope_trace.profile.ascend.tasks import is_kernel
from tilescope_trace.profile.ascend.timeline import Timeline
from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.database import opened
from tilescope_trace.profile.model import Profile
from tilescope_trace.profile.source import Source

from . import ascend_database, ascend_tables, ascend_trace

NAME = "Ascend run"

_OUTPUTS = ("ASCEND_PROFILER_OUTPUT", "mindstudio_profiler_output")
_NOTHING = "neither timeline, database nor table in the folder has a task: nothing ran while the profiler was on"
_RAW = "the folder holds raw data only; `msprof --export=on --output={path}` makes a timeline and tables of it"


def recognise(source: Source) -> bool:
    """A folder with an output folder of one of the two profilers, that folder itself, or raw data of msprof."""
    return source.is_folder and (_output(source.path) is not None or _is_raw(source.path))


def load(source: Source) -> Profile:
    """The timeline with what the table of kernels adds; without a timeline the database; else the table alone."""
    builder = ProfileBuilder(source.path, NAME)
    output = _output(source.path)
    if output is None:
        return builder.finish(_RAW.format(path=source.path))
    timelines = list(_files(output, ascend_trace.recognise, ("trace_view.json*", "msprof*.json*")))
    tables = list(_files(output, ascend_tables.recognise, ("kernel_details*", "op_summary*", "task_time*")))
    databases = [
        *_files(output, ascend_database.recognise, ("ascend_pytorch_profiler*.db*", "msprof*.db*")),
        *_files(output.parent, ascend_database.recognise, ("msprof*.db*",)),
    ]
    if timelines:
        reader = Timeline(timelines[0], builder)
        for timeline in timelines:
            reader.read(timeline)
        reader.finish()
        _enrich(builder, tables)
        for database in databases:
            builder.note(f"{database.path.name} tells the same run once more and is not read")
    elif databases:
        for database in databases:
            with opened(database, TEXTS) as tables_of_run:
                Stored(tables_of_run, builder).read()
    else:
        for table in tables[:1]:
            for task in _rows(builder, table):
                ascend_tables.add_task(builder, task)
    return builder.finish(_NOTHING)


def _enrich(builder: ProfileBuilder, tables: list[Source]) -> None:
    """Give launches of the timeline the number of blocks, the kind and the metrics of their rows."""
    if not tables:
        builder.note("there is no table of kernels beside the timeline: blocks and metrics of kernels are unknown")
        return
    of = {(launch.start_ns, launch.name): index for index, launch in enumerate(builder.launches)}
    alone = 0
    for task in _rows(builder, tables[0]):
        row = task.launch
        index = of.get((row.start_ns, row.name))
        if index is not None:
            known = builder.launches[index]
            builder.launches[index] = replace(
                known, grid=row.grid, kind=row.kind or known.kind, device=row.device, metrics=row.metrics
            )
        elif is_kernel(row.kind or ""):
            alone += 1
    if alone:
        builder.note(f"{alone} rows of {tables[0].path.name} are of no task of the timeline and left out")


def _rows(builder: ProfileBuilder, table: Source) -> Iterator[Task]:
    layout = layout_of(table)
    return iter(()) if layout is None else tasks(table, layout, builder.note)


def _files(output: Path, recognise: Callable[[Source], bool], patterns: tuple[str, ...]) -> Iterator[Source]:
    for pattern in patterns:
        for path in sorted(output.glob(pattern)):
            if path.is_file() and recognise(Source(path)):
                yield Source(path)


def _output(folder: Path) -> Path | None:
    if folder.name in _OUTPUTS:
        return folder
    return next((folder / name for name in _OUTPUTS if (folder / name).is_dir()), None)


def _is_raw(folder: Path) -> bool:
    return (folder / "host").is_dir() and any(folder.glob("device_*"))
