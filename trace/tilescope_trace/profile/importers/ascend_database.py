"""SQLite files of msprof (``msprof_*.db``) and torch_npu.profiler (``ascend_pytorch_profiler_*.db``)."""

from __future__ import annotations

from tilescope_trace.profile.ascend.stored import TEXTS, Stored
from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.database import opened, tables_of
from tilescope_trace.profile.model import Profile
from tilescope_trace.profile.source import Source

NAME = "Ascend database"

NOTHING = "its tables of tasks and calls are empty: nothing ran while the profiler was on"
_ANALYSIS = (
    "an analysis database holds sums of steps and of communication only; launches are in "
    "ascend_pytorch_profiler_*.db beside it"
)


def recognise(source: Source) -> bool:
    """A database with Ascend's tables, of a run or of an analysis."""
    tables = tables_of(source)
    of_run = TEXTS in tables and bool({"TASK", "CANN_API", "COMPUTE_TASK_INFO"} & tables)
    return of_run or _is_analysis(tables)


def load(source: Source) -> Profile:
    """Tasks with a row in COMPUTE_TASK_INFO become launches, all others slices."""
    builder = ProfileBuilder(source.path, NAME)
    with opened(source, TEXTS) as database:
        if _is_analysis(set(database.columns)):
            return builder.finish(_ANALYSIS)
        Stored(database, builder).read()
    return builder.finish(NOTHING)


def _is_analysis(tables: set[str]) -> bool:
    return "StepTraceTime" in tables or "CommAnalyzerTime" in tables
