"""Nsight Compute's raw page as CSV: a column for each metric, units in the second row, a row for each launch."""

from __future__ import annotations

from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.errors import ProfileError
from tilescope_trace.profile.model import Device, Metric, Profile, Samples
from tilescope_trace.profile.nsight_csv import cells, first_row, header, number_of, rows
from tilescope_trace.profile.nsight_launch import launch_of, metric_of, with_metrics
from tilescope_trace.profile.source import Source
from tilescope_trace.profile.stalls import is_stall, stall_name

NAME = "Nsight Compute raw page"

_TOTAL = "smsp__pcsamp_sample_count"


def recognise(source: Source) -> bool:
    """A table with a launch in each row and metrics as columns."""
    names = first_row(source)
    return names[:1] == ["ID"] and "Kernel Name" in names and "Grid Size" in names and "Metric Name" not in names


def load(source: Source) -> Profile:
    """Launches with all their metrics, and where there are some the samples of the whole kernel by stall reason.
    Values of instances (in brackets, without what they belong to) are left out."""
    build = ProfileBuilder(source.path, NAME)
    with source.open() as stream:
        table = rows(source, stream)
        names = header(source, table, ("Kernel Name",))
        kernel_name = names.index("Kernel Name")
        units: list[str] = []
        for number, row in table:
            found = cells(row, len(names), kernel_name)
            if len(found) != len(names):
                raise ProfileError(
                    source.path, f"the row has {len(found)} cells", f"{len(names)} as in the header", f"line {number}"
                )
            if not units and not found[0]:
                units = found
            else:
                _launch(build, dict(zip(names, found, strict=True)), dict(zip(names, units, strict=False)))
    return build.finish("the page has a header and no rows: the report holds no kernel")


def _launch(build: ProfileBuilder, row: dict[str, str], units: dict[str, str]) -> None:
    metrics: dict[str, Metric] = {}
    for name in list(row)[list(row).index("CC") + 1 if "CC" in row else 0 :]:
        value = metric_of(row[name].partition(" (")[0], units.get(name, ""))
        if value is not None and not row[name].startswith("("):
            metrics[name] = value
    launch = with_metrics(launch_of(row), metrics, row)
    index = build.launch(launch)
    _device(build, launch.device, row)
    total = number_of(row.get(_TOTAL, "").partition(" (")[0])
    if total:
        counted = {stall_name(name): metrics[name].value for name in metrics if is_stall(name)}
        stalls = {name: int(count) for name, count in counted.items() if isinstance(count, float) and count}
        build.samples.append(Samples(launch.name, index, int(total), "samples", stalls))


def _device(build: ProfileBuilder, number: int | None, row: dict[str, str]) -> None:
    name = row.get("device__attribute_display_name", "").partition(" (")[0]
    if number is None or not name or any(device.number == number for device in build.devices):
        return
    count = number_of(row.get("device__attribute_multiprocessor_count", "").partition(" (")[0])
    clock = number_of(row.get("device__attribute_clock_rate", "").partition(" (")[0])
    arch = f"sm_{row['CC'].replace('.', '')}" if row.get("CC") else None
    build.devices.append(
        Device(number, name, arch, None if count is None else int(count), None if clock is None else int(clock))
    )
