"""proton's tree of scopes and kernels (hatchet JSON), with sums instead of single launches."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from tilescope_trace.profile.annotations import best_annotation
from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.database import whole
from tilescope_trace.profile.errors import ProfileError
from tilescope_trace.profile.jsonfile import read_json
from tilescope_trace.profile.model import Device, Launch, LineSamples, Metric, Place, Profile, Samples
from tilescope_trace.profile.source import Source
from tilescope_trace.profile.stalls import is_stall, stall_name

NAME = "proton tree"

_EXPECTED = "a list of a tree of frames and devices, as proton writes .hatchet files"
_LINE = re.compile(r"(?P<file>.*):(?P<line>\d{1,9})@(?P<function>.*)")
_ROOT = "ROOT"


class _Frame(msgspec.Struct):
    name: str
    type: str | None = None


class _Node(msgspec.Struct):
    frame: _Frame
    metrics: dict[str, float | str | None] = {}
    children: list[_Node] = []


class _Processor(msgspec.Struct):
    arch: str | None = None
    num_sms: int | None = None
    clock_rate: int | None = None


def recognise(source: Source) -> bool:
    """A list whose first value is a node with a frame."""
    head = source.head.lstrip()
    return head.startswith(b"[") and b'"frame"' in head and b'"metrics"' in head and b'"children"' in head


def load(source: Source) -> Profile:
    """A launch for each kernel and scope, with ``count`` and summed time; samples where proton sampled, and their
    lines where it began before the kernel's module was loaded."""
    values = read_json(source, list[msgspec.Raw], _EXPECTED)
    if not values:
        raise ProfileError(source.path, "the list is empty", _EXPECTED)
    build = ProfileBuilder(source.path, NAME)
    try:
        root = msgspec.json.decode(values[0], type=_Node, strict=False)
        _devices(build, msgspec.json.decode(values[1], type=dict[str, Any]) if len(values) > 1 else {})
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ProfileError(source.path, str(error).rstrip("."), _EXPECTED) from error
    waiting: list[tuple[_Node, tuple[str, ...]]] = [(root, ())]
    while waiting:
        node, scopes = waiting.pop()
        if "device_type" in node.metrics:
            _kernel(build, node, scopes)
        else:
            inner = scopes if node.frame.name == _ROOT else (*scopes, node.frame.name)
            waiting.extend((child, inner) for child in reversed(node.children))
    return build.finish("no kernel ran in the scopes that proton recorded")


def _devices(build: ProfileBuilder, kinds: dict[str, Any]) -> None:
    for kind, numbered in kinds.items():
        for number, one in msgspec.convert(numbered, dict[int, _Processor], strict=False).items():
            arch = f"sm_{one.arch}" if kind == "CUDA" and one.arch else one.arch
            build.devices.append(Device(number, f"{kind} {number}", arch, one.num_sms, one.clock_rate))


def _kernel(build: ProfileBuilder, node: _Node, scopes: tuple[str, ...]) -> None:
    numbers = {name: value for name, value in node.metrics.items() if isinstance(value, (int, float))}
    time, device = numbers.get("time (ns)"), node.metrics.get("device_id")
    known = ("count", "time (ns)", "num_samples")
    launch = build.launch(
        Launch(
            name=node.frame.name,
            duration_ns=None if time is None else int(time),
            device=whole(device),
            annotation=best_annotation(scopes),
            count=int(numbers.get("count", 1)),
            metrics={
                name: Metric(value) for name, value in numbers.items() if name not in known and not is_stall(name)
            },
        )
    )
    if total := numbers.get("num_samples"):
        lines = tuple(line for child in node.children if (line := _line(child)))
        build.samples.append(
            Samples(node.frame.name, launch, int(total), "samples", _stalls(node), lines=lines, line_rule="innermost")
        )
        if not lines:
            build.note("no lines: proton gives them where it is started before the kernel's module is loaded")


def _line(node: _Node) -> LineSamples | None:
    found, samples = _LINE.fullmatch(node.frame.name), node.metrics.get("num_samples")
    if found is None or not isinstance(samples, (int, float)):
        return None
    return LineSamples(Place(found["file"], int(found["line"])), int(samples), _stalls(node))


def _stalls(node: _Node) -> dict[str, int]:
    return {
        stall_name(name): int(value)
        for name, value in node.metrics.items()
        if is_stall(name) and isinstance(value, (int, float)) and value
    }
