"""``msprof op simulator``: the trace of all cores or of one (``trace.json``), or the folder of a kernel around it."""

from __future__ import annotations

import re
from pathlib import Path

from tilescope_trace.profile.ascend.blocks import looks_like_blocks
from tilescope_trace.profile.ascend.executed import Executed
from tilescope_trace.profile.ascend.simulated import Simulated
from tilescope_trace.profile.ascend.visualized import Visualized
from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.chrome import TRACE_EVENTS, ChromeEvent
from tilescope_trace.profile.jsonstream import ArrayStream
from tilescope_trace.profile.model import Launch, Profile
from tilescope_trace.profile.source import Source

from . import ascend_executed

NAME = "msprof op simulator"

NOTHING = "the simulator's output has no instruction: the kernel did not run in the simulation"
_UNNAMED = "the simulator does not name the kernel"

_MARK = re.compile(rb'"profilingType"\s*:\s*"op"')


def recognise(source: Source) -> bool:
    """A trace with the mark that MindStudio looks for before the first bracket, the folder ``simulator`` with one, or
    the folder that holds it."""
    if source.is_folder:
        return _output(source.path) is not None
    head = source.head.lstrip()
    return head.startswith(b"{") and _MARK.search(head.split(b"[", 1)[0]) is not None


def load(source: Source) -> Profile:
    """One launch, whose instructions are slices. In a folder, the trace of all cores is read (or the same in
    ``visualize_data.bin``), source texts and conflicts from the latter; without a trace, the tables of all cores."""
    builder = ProfileBuilder(source.path, NAME)
    folder = _output(source.path) if source.is_folder else None
    launch = Launch(_kernel(folder) if folder else "", kind="simulated")
    launch = _read_folder(folder, builder, launch) if folder else _read_trace(source, builder, launch)
    if launch.start_ns is not None or builder.samples:
        builder.launch(launch)
        if not launch.name:
            builder.note(_UNNAMED)
    return builder.finish(NOTHING)


def _read_folder(folder: Path, builder: ProfileBuilder, launch: Launch) -> Launch:
    trace, picture = Source(folder / "trace.json"), Source(folder / "visualize_data.bin")
    traced = trace.path.is_file()
    if traced:
        launch = _read_trace(trace, builder, launch)
    if picture.path.is_file() and looks_like_blocks(picture.head):
        visualized = Visualized(picture, builder, with_trace=not traced, launch=launch)
        visualized.read()
        launch = visualized.complete()
    if not builder.samples:
        executed = Executed()
        for table in sorted(folder.glob("*/*.csv")):
            if ascend_executed.recognise(Source(table)):
                ascend_executed.read_table(Source(table), builder, executed)
        samples = executed.samples(launch.name, 0)
        if samples is not None:
            builder.samples.append(samples)
    return launch


def _read_trace(source: Source, builder: ProfileBuilder, launch: Launch) -> Launch:
    simulated = Simulated(source, builder, source.path.parent.name)
    with source.open() as stream:
        for event in ArrayStream(source, stream, TRACE_EVENTS, ChromeEvent):
            simulated.event(event)
    return simulated.finish(launch)


def _output(folder: Path) -> Path | None:
    """The folder with the simulator's output: this one or ``simulator`` in it."""
    for output in (folder / "simulator", folder):
        trace, picture = Source(output / "trace.json"), Source(output / "visualize_data.bin")
        if trace.path.is_file() and recognise(trace):
            return output
        if output.name == "simulator" and picture.path.is_file() and looks_like_blocks(picture.head):
            return output
        if output.name == "simulator" and any(map(_is_table, output.glob("core*/*.csv"))):
            return output
    return None


def _is_table(path: Path) -> bool:
    return ascend_executed.recognise(Source(path))


def _kernel(output: Path) -> str:
    """The kernel's name, where several were simulated: ``OPPROF_*/<kernel>/<number>/simulator``."""
    run = output.parent if output.name == "simulator" else output
    kernel = run.parent.name
    return kernel if run.name.isdigit() and not kernel.startswith("OPPROF_") else ""
