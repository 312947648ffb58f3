"""Nsight Compute reports (``.ncu-rep``), where NVIDIA's reader for them is at hand: it is not ours to ship."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec

from tilescope_trace.profile import nsight_report
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
_NS = {"ns": 1, "nsecond": 1, "us": 1000, "usecond": 1000, "ms": 10**6, "msecond": 10**6}


class _Instruction(msgspec.Struct):
    address: int
    text: str
    counts: dict[str, int]


class _Action(msgspec.Struct):
    """A launch as ``nsight_report`` prints it."""

    name: str
    metrics: dict[str, tuple[float | str, str]]
    instructions: list[_Instruction]


def recognise(source: Source) -> bool:
    """The report's first bytes; the name too, since NVIDIA does not document them."""
    return source.head.startswith(_MAGIC) or (bool(source.head) and source.path.name.endswith(_SUFFIX))


def load(source: Source) -> Profile:
    """Launches with their metrics, samples by instruction. Raises ProfileError where there is no reader or it fails,
    with the commands that export what it would read."""
    build = ProfileBuilder(source.path, NAME)
    with source.local() as path:
        actions = _read(source.path, path)
    for action in actions:
        _action(build, action)
    return build.finish("the report holds no kernel")


def _read(named: Path, path: Path) -> list[_Action]:
    command = [sys.executable, nsight_report.__file__, os.fspath(path), *map(str, _folders())]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode == 0:
        return msgspec.json.decode(done.stdout, type=list[_Action])
    said = done.stderr.decode("utf-8", "replace").strip()
    if done.returncode == nsight_report.NO_MODULE:
        problem = f"reading it needs the module ncu_report of Nsight Compute ({said})"
        raise ProfileError(named, problem, "its folder extras/python on PYTHONPATH, or " + _pages(named))
    if done.returncode == 1 and said:
        raise ProfileError(named, said.splitlines()[-1], "a whole .ncu-rep report")
    how = f"signal {-done.returncode}" if done.returncode < 0 else f"exit code {done.returncode}"
    raise ProfileError(named, f"NVIDIA's reader of reports ended with {how}", _pages(named))


def _pages(named: Path) -> str:
    return (
        f"CSV pages instead: ncu --import {named.name} --page source --csv --print-source sass > source.csv,"
        " and the same with --page raw --csv > raw.csv"
    )


def _folders() -> Iterator[Path]:
    """Where Nsight Compute keeps its modules: beside the ``ncu`` on the PATH, else where its packages put it."""
    found = shutil.which("ncu")
    places = [*(Path(found).resolve().parents[:4] if found else ()), *sorted(_INSTALLED.glob("*"), reverse=True)]
    yield from (place / "extras/python" for place in places if (place / "extras/python/ncu_report.py").is_file())


def _action(build: ProfileBuilder, action: _Action) -> None:
    metrics = {name: Metric(value, unit) for name, (value, unit) in action.metrics.items()}
    launch = build.launch(
        Launch(
            name=action.name,
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
    if nsight_report.TOTAL in metrics:
        build.samples.append(_samples(action, launch))


def _samples(action: _Action, launch: int) -> Samples:
    first = action.instructions[0].address if action.instructions else 0
    instructions = tuple(
        InstructionSamples(
            one.address - first,
            one.text,
            one.counts.get(nsight_report.TOTAL, 0),
            {stall_name(name): count for name, count in one.counts.items() if count and is_stall(name)},
            one.counts.get(nsight_report.EXECUTED),
        )
        for one in action.instructions
    )
    stalls = sum((Counter(one.stalls) for one in instructions), Counter[str]())
    total = sum(one.samples for one in instructions)
    return Samples(action.name, launch, total, stalls=stalls, instructions=instructions)


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
