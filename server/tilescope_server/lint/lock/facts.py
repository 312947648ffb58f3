"""The facts of a kernel that are worth keeping, each as one line of text."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tilescope_trace.model import Buffer, Json, Kernel, Launch, Operation

ARGUMENTS, STATUS, ASSUMED, PASS_CONFIGS = "arguments", "status", "assumed", "pass configs"
REGISTERS = frozenset({"registers", "spilled bytes"})
"""What only an assembler tells: not compared where one side has none."""
_TOLD = frozenset({"copy", "gemm", "reduce", "fill", "atomic", "pipeline", "parallel"})
"""Operations whose lowering is kept."""
_DETAILS = ("instruction", "stages", "vector_bytes")


@dataclass(frozen=True)
class Entry:
    """One kernel x specialization x target. ``number`` tells those apart that have the same ``arguments``: their pass
    configs differ. ``facts`` maps names to what is the case, in the order of the kernel."""

    file: str
    kernel: str
    target: str
    arguments: str
    facts: dict[str, str]
    number: int = 1

    @property
    def key(self) -> tuple[str, str, str, str, int]:
        """What tells entries apart, and their order."""
        return self.file, self.kernel, self.target, self.arguments, self.number

    @property
    def assumed(self) -> tuple[str, ...]:
        """Names of the arguments that nothing in the project gives, sorted; empty where all are known."""
        return tuple(self.facts.get(ASSUMED, "").split())


def entries_of(file: str, kernels: Iterable[Kernel]) -> list[Entry]:
    """The entries of a file's kernels, in order."""
    found = [
        Entry(file, name, target, arguments, facts_of(kernel), number)
        for (name, target, arguments, number), kernel in numbered(kernels)
    ]
    return sorted(found, key=lambda entry: entry.key)


def numbered(kernels: Iterable[Kernel]) -> Iterator[tuple[tuple[str, str, str, int], Kernel]]:
    """The kernels of a file as they come, each with its name, target, arguments and number in the lock."""
    seen: Counter[tuple[str, str, str]] = Counter()
    for kernel in kernels:
        arguments = " ".join(
            f"{name}={_value(one.value)}" for name, one in sorted(kernel.specialization.args.items())
        )
        seen[kernel.qualname, kernel.target, arguments] += 1
        yield (kernel.qualname, kernel.target, arguments, seen[kernel.qualname, kernel.target, arguments]), kernel


def facts_of(kernel: Kernel) -> dict[str, str]:
    """The golden facts of one kernel. Lines are no part of them, nor are names that the compiler makes up."""
    facts: dict[str, str] = {STATUS: _status(kernel)}
    guessed = sorted(name for name, one in kernel.specialization.args.items() if one.origin == "assumed")
    if guessed:
        facts[ASSUMED] = " ".join(guessed)
    configs = kernel.specialization.pass_configs
    if configs:
        facts[PASS_CONFIGS] = " ".join(f"{name}={_value(value)}" for name, value in sorted(configs.items()))
    if kernel.stage == "static":
        return facts
    if kernel.launch is not None:
        facts |= dict(_launch(kernel.launch))
    for name, fact in [*map(_buffer, kernel.buffers), *_operations(kernel.operations)]:
        facts[_free(facts, name)] = fact
    return facts


def _status(kernel: Kernel) -> str:
    if kernel.status == "ok":
        return "ok"
    errors = [finding.code for finding in kernel.findings if finding.severity == "error"]
    return " ".join([kernel.status, *dict.fromkeys(errors)])


def _launch(launch: Launch) -> Iterator[tuple[str, str]]:
    if launch.threads is not None:
        lowered = launch.threads_lowered
        more = f" -> {lowered}" if lowered is not None and lowered != launch.threads else ""
        yield "threads", f"{launch.threads}{more}"
    for group in launch.warp_groups:
        registers = f", {group.registers} registers" if group.registers is not None else ""
        yield f"{group.role} warps", f"{group.threads} threads{registers}"
    if launch.shared_dynamic_bytes is not None or launch.shared_static_bytes is not None:
        yield "shared bytes", f"{launch.shared_dynamic_bytes or 0} + {launch.shared_static_bytes or 0}"
    for memory in launch.memory:
        if memory.space != "shared":
            yield f"{memory.space} bytes", str(memory.bytes)
    for name, value in (("registers", launch.registers), ("spilled bytes", launch.spill_bytes)):
        if value is not None:
            yield name, str(value)


def _buffer(buffer: Buffer) -> tuple[str, str]:
    parts = [f"{buffer.dtype} ({', '.join(map(str, buffer.shape))}) {buffer.scope}"]
    if buffer.stages > 1:
        parts.append(f"{buffer.stages} stages")
    layout = buffer.layout
    if layout is not None:
        parts.append(layout.summary)
        if layout.map is not None:
            # Equal summaries may stand for different formulas.
            formula = json.dumps([layout.map.index, layout.map.thread])
            parts.append(f"formula {hashlib.sha256(formula.encode()).hexdigest()[:8]}")
    return f"buffer {buffer.name}", "; ".join(parts)


def _operations(operations: Iterable[Operation]) -> Iterator[tuple[str, str]]:
    for one in operations:
        details = [f"{name} {one.detail[name]}" for name in _DETAILS if one.detail.get(name) is not None]
        if one.kind in _TOLD and (one.lowered_to or details):
            yield f"{one.kind} {_of(one)}".strip(), "; ".join([", ".join(one.lowered_to) or "loop", *details])


def _of(operation: Operation) -> str:
    detail = operation.detail
    if operation.kind == "gemm":
        return f"{detail.get('A')}, {detail.get('B')} -> {detail.get('C')}"
    source, destination = detail.get("src"), detail.get("dst")
    return " -> ".join(str(one) for one in (source, destination) if one is not None)


def _free(facts: dict[str, str], name: str) -> str:
    """The name, numbered where the kernel has several such."""
    number, free = 1, name
    while free in facts:
        number += 1
        free = f"{name} ({number})"
    return free


def _value(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
