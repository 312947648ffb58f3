"""What differs between variants of one kernel: its specializations and targets, side by side."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from .model import Buffer, Json, Kernel, Operation
from .model.public import to_public
from .occupancy import is_bound

Subject = tuple[str, "int | None"]
"""What facts are about, and its line."""
Facts = dict[Subject, dict[str, Json]]

_LAUNCH = (
    "grid",
    "threads",
    "threads_lowered",
    "shared_dynamic_bytes",
    "shared_static_bytes",
    "registers",
    "spill_bytes",
    "occupancy",
    "occupancy_limiter",
    "blocks_per_sm",
    "cluster",
    "barriers",
)
_BOUNDED = ("occupancy", "blocks_per_sm")
_BUFFER = ("shape", "dtype", "scope", "stages", "bytes")
_LAYOUT = ("summary", "registers_per_thread", "replicate", "threads")


@dataclass(frozen=True)
class Variant:
    """One of the kernels compared; ``args`` are the values of those parameters that are not the same in all."""

    target: str
    specialization: str
    args: dict[str, Json]


@dataclass(frozen=True)
class Difference:
    """A fact that is not the same in all variants. ``subject`` is what it is a fact of (``launch``, ``A_shared``,
    ``gemm``) with its line; ``values`` has one value for each variant, None where there is none or where it is
    not known; ``at_most``, for texts, which of them are upper bounds (empty: none is)."""

    subject: str
    line: int | None
    fact: str
    values: tuple[Json, ...]
    at_most: tuple[bool, ...] = ()


@dataclass(frozen=True)
class Comparison:
    """Two or more variants of the kernel ``qualname`` and all that differs between them, in source order."""

    file: str
    qualname: str
    variants: tuple[Variant, ...]
    differences: tuple[Difference, ...]


def comparisons(file: str, kernels: Iterable[Kernel]) -> tuple[Comparison, ...]:
    """One comparison for each kernel of which there are several variants."""
    by_name: dict[str, list[Kernel]] = {}
    for kernel in kernels:
        by_name.setdefault(kernel.qualname, []).append(kernel)
    return tuple(compared(file, variants) for variants in by_name.values() if len(variants) > 1)


def compared(file: str, kernels: Sequence[Kernel]) -> Comparison:
    """The differences between variants of one kernel."""
    facts = [_facts_of(kernel) for kernel in kernels]
    bounded = tuple(kernel.launch is not None and is_bound(kernel.launch) for kernel in kernels)
    differences = tuple(
        Difference(*subject, fact, values, bounded if subject[0] == "launch" and fact in _BOUNDED else ())
        for subject in dict.fromkeys(subject for one in facts for subject in one)
        for fact, values in _unequal([one.get(subject, {}) for one in facts])
    )
    return Comparison(file, kernels[0].qualname, tuple(_variants(kernels)), differences)


def _variants(kernels: Sequence[Kernel]) -> Iterator[Variant]:
    args = [{name: argument.value for name, argument in k.specialization.args.items()} for k in kernels]
    differing = [name for name, _ in _unequal(args)]
    for kernel, own in zip(kernels, args, strict=True):
        shown = {name: own[name] for name in differing if name in own}
        yield Variant(kernel.target, kernel.specialization.id, shown)


def _unequal(variants: list[dict[str, Json]]) -> Iterator[tuple[str, tuple[Json, ...]]]:
    for name in dict.fromkeys(name for one in variants for name in one):
        values = tuple(one.get(name) for one in variants)
        if len({json.dumps(value, sort_keys=True) for value in values}) > 1:
            yield name, values


def _facts_of(kernel: Kernel) -> Facts:
    facts: Facts = {
        ("kernel", kernel.line): {
            "stage": kernel.stage,
            "status": kernel.status,
            "findings": [f"{finding.code} line {finding.line}" for finding in kernel.findings],
        }
    }
    if kernel.launch is not None:
        facts["launch", kernel.launch.line] = {name: to_public(getattr(kernel.launch, name)) for name in _LAUNCH}
    for buffer in kernel.buffers:
        facts[_unused(facts, buffer.name, buffer.line)] = _buffer(buffer)
    for operation in kernel.operations:
        facts[_unused(facts, operation.kind, operation.line)] = _operation(operation)
    return facts


def _unused(facts: Facts, name: str, line: int | None) -> Subject:
    """The subject's name, numbered where a line has several of one kind."""
    subject, number = (name, line), 1
    while subject in facts:
        number += 1
        subject = (f"{name} {number}", line)
    return subject


def _buffer(buffer: Buffer) -> dict[str, Json]:
    facts = {name: to_public(getattr(buffer, name)) for name in _BUFFER}
    if buffer.layout is None:
        return facts
    layout = {name: getattr(buffer.layout, name) for name in _LAYOUT}
    facts |= {"layout" if name == "summary" else name: value for name, value in layout.items()}
    # Equal summaries may stand for different formulas.
    return facts | {"formula": None if buffer.layout.map is None else _formula(buffer)}


def _formula(buffer: Buffer) -> Json:
    where = buffer.layout.map if buffer.layout is not None else None
    return None if where is None else [*where.index, *([where.thread] if where.thread else [])]


def _operation(operation: Operation) -> dict[str, Json]:
    return {"lowered to": list(operation.lowered_to), **operation.detail}
