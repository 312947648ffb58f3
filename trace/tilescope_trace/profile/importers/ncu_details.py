"""Nsight Compute's details page as CSV: a row for each metric and each rule of each launch."""

from __future__ import annotations

from msgspec.structs import replace

from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.errors import ProfileError
from tilescope_trace.profile.model import Metric, Profile
from tilescope_trace.profile.nsight_csv import cells, first_row, header, rows
from tilescope_trace.profile.nsight_launch import launch_of, metric_of, with_details
from tilescope_trace.profile.source import Source

NAME = "Nsight Compute details page"

_NEEDED = ("ID", "Kernel Name", "Metric Name", "Metric Unit", "Metric Value")


def recognise(source: Source) -> bool:
    """A table with a metric's name in each row."""
    names = first_row(source)
    return all(name in names for name in _NEEDED)


def load(source: Source) -> Profile:
    """Launches with metrics by name (a second one of a name with its section before it); what rules say as notes."""
    build = ProfileBuilder(source.path, NAME)
    launches: dict[str, int] = {}
    with source.open() as stream:
        table = rows(source, stream)
        names = header(source, table, _NEEDED)
        described = names.index("Rule Description") if "Rule Description" in names else names.index("Kernel Name")
        least = 1 + max(names.index(name) for name in _NEEDED)
        for number, row in table:
            found = cells(row, len(names), described)
            if len(found) < least:
                raise ProfileError(
                    source.path, f"the row has {len(found)} cells", f"at least {least}", f"line {number}"
                )
            one = dict(zip(names, found, strict=False))
            if one["ID"] not in launches:
                launches[one["ID"]] = build.launch(launch_of(one))
            launch = build.launches[launches[one["ID"]]]
            if one["Metric Name"]:
                metrics = dict(launch.metrics)
                _add(metrics, one)
                build.launches[launches[one["ID"]]] = replace(launch, metrics=metrics)
            elif one.get("Rule Description"):
                build.note(one["Rule Description"], launch.name)
    for index, launch in enumerate(build.launches):
        build.launches[index] = with_details(launch)
    return build.finish("the page has a header and no rows: the report holds no kernel")


def _add(metrics: dict[str, Metric], row: dict[str, str]) -> None:
    name, value = row["Metric Name"], metric_of(row["Metric Value"], row["Metric Unit"])
    if value is None or metrics.get(name) == value:
        return
    metrics[f"{row.get('Section Name', '')}: {name}" if name in metrics else name] = value
