"""Nsight Compute reports (``.ncu-rep``), where NVIDIA's reader for them is at hand: it is not ours to ship."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.errors import ProfileError
from tilescope_trace.profile.model import (
    Device,
    Extent,
    InstructionSamples,
    Launch,
    Metric,
    Profile,
    Samples,
)
from tilescope_trace.profile.source import Source
from tilescope_trace.profile.stalls import is_stall, stall_name

NAME = "Nsight Compute report"

_MAGIC = b"NVR\x00"
_SUFFIX = ".ncu-rep"
_INSTALLED = Path("/opt/nvidia/nsight-compute")
_TOTAL = "smsp__pcsamp_sample_count"
_EXECUTED = "inst_executed"
_NS = {"ns": 1, "nsecond": 1, "us": 1000, "usecond": 1000, "ms": 10**6, "msecond": 10**6}


def recognise(source: Source) -> bool:
    """The report's first bytes; the name too, since NVIDIA does not document them."""
    return source.head.startswith(_MAGIC) or (bool(source.head) and source.path.name.endswith(_SUFFIX))


def load(source: Source) -> Profile:
    """Launches with their metrics, samples by instruction. Raises ProfileError where there is no reader, with the
    commands that export what it would read."""
    build = ProfileBuilder(source.path, NAME)
    with source.local() as path, _reader(source) as reader:
        try:
            report = reader.load_report(str(path))
        except Exception as error:  # NVIDIA's module raises what it likes
            raise ProfileError(source.path, str(error) or "it cannot be opened", "a whole .ncu-rep report") from error
        for action in _actions(report):
            _action(build, action)
    return build.finish("the report holds no kernel")


@contextmanager
def _reader(source: Source) -> Iterator[Any]:
    """The module ``ncu_report``: on the import path, or in an installed Nsight Compute."""
    installed = [str(folder) for folder in _folders()]
    sys.path.extend(installed)
    try:
        yield import_module("ncu_report")
    except ImportError as error:
        raise ProfileError(
            source.path,
            f"reading it needs the module ncu_report of Nsight Compute ({error})",
            "its folder extras/python on PYTHONPATH, or CSV pages instead:"
            f" ncu --import {source.path.name} --page source --csv --print-source sass > source.csv,"
            " and the same with --page raw --csv > raw.csv",
        ) from error
    finally:
        for folder in installed:
            sys.path.remove(folder)


def _folders() -> Iterator[Path]:
    """Where Nsight Compute keeps its modules: beside the ``ncu`` on the PATH, else where its packages put it."""
    found = shutil.which("ncu")
    places = [*(Path(found).resolve().parents[:4] if found else ()), *sorted(_INSTALLED.glob("*"), reverse=True)]
    yield from (place / "extras/python" for place in places if (place / "extras/python/ncu_report.py").is_file())


def _actions(report: Any) -> Iterator[Any]:
    for at in range(report.num_ranges()):
        one = report.range_by_idx(at)
        for index in range(one.num_actions()):
            yield one.action_by_idx(index)


def _action(build: ProfileBuilder, action: Any) -> None:
    metrics = dict(_metrics(action))
    launch = build.launch(
        Launch(
            name=action.name(),
            duration_ns=_whole(metrics.get("gpu__time_duration.sum"), _NS),
            device=_whole(metrics.get("launch__device_id")),
            grid=_extent(metrics, "launch__grid_dim_"),
            block=_extent(metrics, "launch__block_dim_"),
            static_shared_bytes=_whole(metrics.get("launch__shared_mem_per_block_static"), {"byte": 1}),
            dynamic_shared_bytes=_whole(metrics.get("launch__shared_mem_per_block_dynamic"), {"byte": 1}),
            registers=_whole(metrics.get("launch__registers_per_thread")),
            metrics=metrics,
        )
    )
    _device(build, metrics)
    if _TOTAL in metrics:
        build.samples.append(_samples(action, metrics, launch))


def _metrics(action: Any) -> Iterator[tuple[str, Metric]]:
    for name in action.metric_names():
        metric = action.metric_by_name(name)
        value = None if metric is None else metric.value()
        if isinstance(value, (int, float)) and value == value:
            yield name, Metric(float(value), metric.unit() or "")
        elif isinstance(value, str) and value:
            yield name, Metric(value, metric.unit() or "")


def _samples(action: Any, metrics: dict[str, Metric], launch: int) -> Samples:
    counts = _by_address(action, _TOTAL)
    executed = _by_address(action, _EXECUTED)
    stalls = {stall_name(name): _by_address(action, name) for name in metrics if is_stall(name)}
    addresses = sorted({*counts, *executed})
    first = addresses[0] if addresses else 0
    return Samples(
        kernel=action.name(),
        launch=launch,
        total=sum(counts.values()),
        stalls={name: sum(found.values()) for name, found in stalls.items() if any(found.values())},
        instructions=tuple(
            InstructionSamples(
                address - first,
                str(action.sass_by_pc(address)).strip(),
                counts.get(address, 0),
                {name: found[address] for name, found in stalls.items() if found.get(address)},
                executed.get(address),
            )
            for address in addresses
        ),
    )


def _by_address(action: Any, name: str) -> dict[int, int]:
    """Values of a metric by the address of their instruction; none where the metric has none."""
    metric = action.metric_by_name(name)
    if metric is None or not metric.has_correlation_ids():
        return {}
    addresses = metric.correlation_ids()
    return {addresses.as_uint64(at): metric.as_uint64(at) for at in range(metric.num_instances())}


def _whole(metric: Metric | None, units: dict[str, int] | None = None) -> int | None:
    """A number in the smallest unit; ``byte/block`` counts as ``byte``."""
    if metric is None or not isinstance(metric.value, float):
        return None
    factor = 1 if units is None else units.get(metric.unit.partition("/")[0])
    return None if factor is None else round(metric.value * factor)


def _extent(metrics: dict[str, Metric], prefix: str) -> Extent | None:
    x, y, z = (_whole(metrics.get(prefix + axis)) for axis in "xyz")
    return (x, y, z) if x is not None and y is not None and z is not None else None


def _device(build: ProfileBuilder, metrics: dict[str, Metric]) -> None:
    name, number = metrics.get("device__attribute_display_name"), _whole(metrics.get("launch__device_id"))
    if name is None or any(device.number == (number or 0) for device in build.devices):
        return
    major, minor = (
        _whole(metrics.get(f"device__attribute_compute_capability_{part}")) for part in ("major", "minor")
    )
    arch = None if major is None or minor is None else f"sm_{major}{minor}"
    count, clock = (
        _whole(metrics.get(f"device__attribute_{part}")) for part in ("multiprocessor_count", "clock_rate")
    )
    build.devices.append(Device(number or 0, str(name.value), arch, count, clock))
