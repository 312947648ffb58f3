"""``msprof op``: the folder of one kernel measured on the board (``OPPROF_*``), or one of its tables."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from tilescope_trace.profile.ascend.blocks import looks_like_blocks
from tilescope_trace.profile.ascend.board import add_parts, form_of, launch_of
from tilescope_trace.profile.ascend.table import opened
from tilescope_trace.profile.ascend.visualized import Visualized
from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.model import Launch, Metric, Profile
from tilescope_trace.profile.source import Source

NAME = "msprof op"

NOTHING = "its tables have headers only: the kernel did not run, or its counters were not collected"


def recognise(source: Source) -> bool:
    """A folder with OpBasicInfo or one of the tables of cores, or one such table."""
    if source.is_folder:
        return any(form_of(Source(path)) for path in _tables(source.path))
    return form_of(source) is not None


def load(source: Source) -> Profile:
    """One launch without a start, and the metrics of each core as its parts."""
    builder = ProfileBuilder(source.path, NAME)
    tables = [Source(path) for path in _tables(source.path)] if source.is_folder else [source]
    launch: Launch | None = None
    parts: dict[str, dict[str, Metric]] = defaultdict(dict)
    for table_source in tables:
        form = form_of(table_source)
        if form is None:
            continue
        with opened(table_source) as table:
            if form == "basic":
                launch = launch_of(table) or launch
            else:
                add_parts(table, parts)
            damage = table.damage()
            if damage:
                builder.note(f"{table_source.path.name}: {damage}")
    if launch is None and parts:
        builder.note("the kernel is not named: OpBasicInfo.csv is not there")
    picture = _picture(source) if source.is_folder else None
    if picture is None:
        _finish(builder, launch, parts)
    else:
        visualized = Visualized(picture, builder, launch=launch, parts=parts)
        visualized.read()
        visualized.finish()
    return builder.finish(NOTHING)


def _finish(builder: ProfileBuilder, launch: Launch | None, parts: dict[str, dict[str, Metric]]) -> None:
    if launch is not None or parts:
        builder.launch(launch or Launch(""))
    for part, metrics in parts.items():
        builder.part(part, 0, metrics)


def _tables(folder: Path) -> list[Path]:
    """Tables in the folder itself, that of pipes before others: where two have the same metric, the first counts."""
    found = [path for path in folder.glob("*.csv") if path.is_file()]
    return sorted(found, key=lambda path: (not path.name.startswith("PipeUtilization"), path.name))


def _picture(source: Source) -> Source | None:
    picture = Source(source.path / "visualize_data.bin")
    return picture if picture.path.is_file() and looks_like_blocks(picture.head) else None
