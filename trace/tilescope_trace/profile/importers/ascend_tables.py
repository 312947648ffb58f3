"""Tables of msprof (``op_summary_*.csv``, ``task_time_*.csv``) and of torch_npu.profiler (``kernel_details.csv``)."""

from __future__ import annotations

from msgspec.structs import replace

from tilescope_trace.profile.ascend.kernels import Task, layout_of, tasks
from tilescope_trace.profile.ascend.table import headers_of
from tilescope_trace.profile.ascend.tasks import is_kernel
from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.model import Profile
from tilescope_trace.profile.source import Source

NAME = "Ascend kernel table"

NOTHING = "the table has a header and no row: no kernel ran while the profiler was on"

_SUMS = {
    frozenset(("API Name", "Time(us)", "Count")): "sums of calls on the host",
    frozenset(("OP Type", "Core Type", "Count")): "sums of kernels by their type",
    frozenset(("Host Self Duration(us)", "Device Self Duration(us)")): "sums of operators, without the time of any",
    frozenset(("Step", "Computing", "Free")): "sums of training steps",
    frozenset(("Stream Id", "Task Id", "Hit Rate", "Op Name")): "L2 hit rates, without times",
}
"""Other tables of the same tools, by columns that they alone have: known, and without a launch."""


def recognise(source: Source) -> bool:
    """A table with the columns of op_summary, task_time or kernel_details, or of the sums beside them."""
    return layout_of(source) is not None or _sums(source) is not None


def load(source: Source) -> Profile:
    """Rows become launches on lanes of their streams; communication becomes slices."""
    layout = layout_of(source)
    if layout is None:
        nothing = f"the table holds {_sums(source)}; kernels are in kernel_details.csv or op_summary beside it"
        return ProfileBuilder(source.path, NAME).finish(nothing)
    builder = ProfileBuilder(source.path, f"{NAME} ({layout.title})")
    for task in tasks(source, layout, builder.note):
        add_task(builder, task)
    return builder.finish(NOTHING)


def _sums(source: Source) -> str | None:
    headers = set(headers_of(source))
    return next((what for columns, what in _SUMS.items() if columns <= headers), None)


def add_task(builder: ProfileBuilder, task: Task) -> None:
    """Add a task on the lane of its stream."""
    launch = task.launch
    title = "device" if launch.device is None else f"device {launch.device}"
    device = builder.lane(("device", launch.device), title, "device", number=launch.device)
    if is_kernel(launch.kind or ""):
        stream = "no stream" if task.stream is None else f"Stream {task.stream}"
        key = ("stream", launch.device, task.stream)
        builder.launch(replace(launch, lane=builder.lane(key, stream, "stream", device, task.stream)))
    elif launch.start_ns is not None and launch.duration_ns is not None:
        lane = builder.lane(("other", launch.device), "communication and copies", "group", device)
        builder.slice(lane, launch.name, launch.start_ns, launch.duration_ns, detail=launch.kind)
