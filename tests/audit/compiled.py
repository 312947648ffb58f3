"""Bundled kernels lowered once for each target: the facts about them, and what to hold against these facts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import tilelang  # noqa: F401 - makes tvm importable
from tvm import tirx

from tilescope_trace.model import Options, Snapshot
from tilescope_trace.source.plan import plan_file
from tilescope_worker import load, spans, targets
from tilescope_worker.attempts import Setting, attempt
from tilescope_worker.definitions import definitions_of
from tilescope_worker.elaborate import elaborate
from tilescope_worker.facts.collect import LAYOUT_PASSES, Collector
from tilescope_worker.generated import lowered_lines

from .generated import Source, read
from .written import Written, written

KERNELS = Path(__file__).parents[2] / "cli" / "tilescope" / "kernels"
SMALL = (
    *(("elementwise", target) for target in ("cuda:sm_90a", "cuda:sm_80", "hip:gfx942", "metal", "c")),
    *(("gemm", target) for target in ("cuda:sm_90a", "cuda:sm_80", "hip:gfx942", "metal")),
    ("attention", "cuda:sm_90a"),
    ("ascend_gemm", "ascend"),
    ("ascend_vadd", "ascend"),
    ("elementwise", "cuda:sm_80", ("N=1000",)),
    ("gemm", "cuda:sm_80", ("M=1000", "block_K=64", "num_stages=2")),
    ("gemm", "cuda:sm_90a", ("N=768", "block_N=256", "num_stages=4", "threads=256")),
)
"""Kernels with the targets that they lower for (others refuse them: a reduction for Metal, fragments for C), some
with other arguments than their defaults: tails, other tiles."""
DEAR = (("attention", "cuda:sm_80"), ("attention", "hip:gfx942"))
"""Several seconds each."""

_LAUNCH = re.compile(r'call_packed\("main_kernel", (.*)\)')
_DESCRIPTOR = re.compile(r'call_packed\("__tvm_tensormap_create_tiled", (\w+)_desc, (.*)\)')


@dataclass(frozen=True, eq=False)
class Compiled:
    """One kernel for one target. ``launch`` are the numbers that the host code launches it with: grid, three axes of
    threads (GPUs only) and dynamic bytes (where there are any); ``descriptors`` those of TMA descriptors by the name
    of the tensor; ``layouts`` the compiler's own objects by the name of the buffer."""

    name: str
    target: str
    facts: Collector
    source: Source
    launch: tuple[int, ...]
    descriptors: dict[str, list[int]]
    written: Written
    func: Any
    layouts: dict[str, Any] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return f"{self.name} for {self.target}"


@cache
def compiled(name: str, target_name: str, arguments: tuple[str, ...] = ()) -> Compiled:
    """Lower a bundled kernel; ``arguments`` take the place of its defaults. Raises what the compiler raises."""
    spans.keep_user_lines()
    path = KERNELS / f"{name}.py"
    text = path.read_text(encoding="utf-8")
    plan = plan_file(
        Snapshot(str(path), text),
        Options(targets=(target_name,), arguments=dict(one.split("=") for one in arguments)),
    )
    with load.importable(str(path)):
        namespace = load.execute(str(path), text).namespace
        made = elaborate(namespace, definitions_of(str(path), text), plan.requests[0])
    target = targets.resolve(target_name)
    done = attempt(made, Setting(0, str(path), target, target_name, checks=False))
    if done.lowered.error is not None:
        raise done.lowered.error
    lines = lowered_lines(made, done.observer, done.lowered.artifact, target, done.merged)
    assert lines.problem is None
    origins = {line.line: frozenset(at for _, at in line.origins) for line in lines.lines}
    host = str(done.lowered.artifact.host_mod or "")
    found = _LAUNCH.search(host)
    values = {name: argument.value for name, argument in made.specialization.args.items()}
    return Compiled(
        " ".join((name, *arguments)),
        target_name,
        done.facts,
        read(done.lowered.source, origins),
        tuple(_numbers(found[1])) if found else (),
        {tensor: list(_numbers(rest)) for tensor, rest in _DESCRIPTOR.findall(host)},
        written(text, values),
        made.func,
        _layouts(done.observer),
    )


def _numbers(arguments: str) -> Iterator[int]:
    for argument in arguments.split(", "):
        number = re.fullmatch(r"(?:T\.int64\()?(\d+)\)?", argument)
        if number:
            yield int(number[1])


def _layouts(observer: Any) -> dict[str, Any]:
    """The layout objects in the module that layout inference returned, of the outermost block that has any."""
    found: dict[str, Any] = {}

    def visit(node: Any) -> None:
        if type(node).__name__ == "SBlock" and "layout_map" in node.annotations:
            found.update({str(buffer.name): layout for buffer, layout in node.annotations["layout_map"].items()})

    for run in observer.runs:
        if run.name in LAYOUT_PASSES and run.after is not None:
            for function in run.after.module.functions.values():
                tirx.stmt_functor.post_order_visit(function.body, visit)
    return found
