"""Facts of two kernels side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from tilescope_trace.differences import Difference, compared
from tilescope_trace.model import Buffer, Kernel, Operation

Fact = TypeVar("Fact", Buffer, Operation)
_KERNEL = "kernel"
_FINDINGS = "findings"


def differences(a: Kernel, b: Kernel) -> tuple[tuple[Difference, ...], tuple[Difference, ...]]:
    """The differences between buffers, and all others. Facts belong together by name and order, not by line: another
    version of a file has its lines elsewhere."""
    shifted = replace(
        b,
        line=a.line,
        launch=replace(b.launch, line=a.launch.line) if a.launch is not None and b.launch is not None else b.launch,
        buffers=_lined_up(a.buffers, b.buffers),
        operations=_lined_up(a.operations, b.operations),
        findings=(),
    )
    found = compared("", [replace(a, findings=()), shifted]).differences
    names = {buffer.name for buffer in (*a.buffers, *b.buffers)}
    buffers = tuple(one for one in found if _base(one.subject) in names)
    others = tuple(one for one in found if one not in buffers)
    codes = [sorted(finding.code for finding in kernel.findings) for kernel in (a, b)]
    if codes[0] != codes[1]:
        others += (Difference(_KERNEL, a.line, _FINDINGS, tuple(codes)),)
    return buffers, others


def _base(subject: str) -> str:
    """A subject's name without the number of several on one line."""
    return subject.partition(" ")[0]


def _lined_up(old: Iterable[Fact], new: Iterable[Fact]) -> tuple[Fact, ...]:
    """``new`` with the lines that the same facts have in ``old``: the first of a name there is the first here."""
    places: dict[tuple[str, int], int | None] = {}
    seen: Counter[str] = Counter()
    for fact in old:
        seen[_name(fact)] += 1
        places[_name(fact), seen[_name(fact)]] = fact.line
    seen.clear()
    result = []
    for fact in new:
        seen[_name(fact)] += 1
        result.append(replace(fact, line=places.get((_name(fact), seen[_name(fact)]), fact.line)))
    return tuple(result)


def _name(fact: Buffer | Operation) -> str:
    return fact.name if isinstance(fact, Buffer) else fact.kind
