"""Where the lines of an older text are in a newer one, and facts carried over along them.

Lines that an edit leaves as they are keep what is known of them; lines that it touches are given up.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Protocol, TypeVar

from tilescope_trace.alike import alike
from tilescope_trace.model import Buffer, Finding, Kernel, Operation
from tilescope_trace.text_lines import lines_of

MOST_LINES = 400
"""Edits of more lines than this are not looked into: comparing them would take longer than a client should wait."""


@dataclass(frozen=True)
class Run:
    """``count`` lines from line ``first`` (1-based, old text) on that have moved by ``offset``."""

    first: int
    count: int
    offset: int


@dataclass(frozen=True)
class Shift:
    """The lines that are unchanged, in order."""

    runs: tuple[Run, ...]

    def line(self, old: int) -> int | None:
        """The line's number in the new text, None where the edit touched it."""
        at = bisect_right(self.runs, old, key=lambda run: run.first) - 1
        run = self.runs[at] if at >= 0 else None
        return old + run.offset if run is not None and old < run.first + run.count else None

    def leaves(self, first: int, last: int) -> bool:
        """Whether lines ``first`` to ``last`` are all where they were."""
        return any(run.offset == 0 and run.first <= first and last < run.first + run.count for run in self.runs)


def between(old: str, new: str) -> Shift:
    """The shift that leads from the lines of ``old`` to those of ``new``."""
    before, after = lines_of(old), lines_of(new)
    limit = min(len(before), len(after))
    head = 0
    while head < limit and before[head] == after[head]:
        head += 1
    same = 0
    while same < limit - head and before[-1 - same] == after[-1 - same]:
        same += 1
    left, right = before[head : len(before) - same], after[head : len(after) - same]
    runs = [Run(1, head, 0)]
    if left and right and len(left) <= MOST_LINES and len(right) <= MOST_LINES:
        # Several places at once: a formatter, a replacement throughout, an undo of many edits.
        blocks = SequenceMatcher(None, left, right, autojunk=False).get_matching_blocks()
        runs += [Run(head + block.a + 1, block.size, block.b - block.a) for block in blocks]
    runs.append(Run(len(before) - same + 1, same, len(after) - len(before)))
    return Shift(tuple(run for run in runs if run.count))


def moved_kernel(kernel: Kernel, shift: Shift) -> Kernel | None:
    """The kernel at its new lines, without the entries the edit touched; None where its ``def`` was touched. The same
    object where nothing of it has moved since it came from here."""
    if _stays(kernel, shift):
        return kernel
    line = shift.line(kernel.line)
    if line is None:
        return None
    launch = kernel.launch
    if launch is not None and launch.line is not None:
        place = shift.line(launch.line)
        launch = None if place is None else alike(launch, line=place)
    return alike(
        kernel,
        line=line,
        launch=launch,
        buffers=tuple(_decided(item, shift) for item in _moved(kernel.buffers, shift)),
        operations=tuple(_called(item, shift) for item in _moved(kernel.operations, shift)),
        accesses=(),
        coverage=(),
        warp_accesses=(),
        findings=(),
    )


def _stays(kernel: Kernel, shift: Shift) -> bool:
    """Whether a kernel is as `moved_kernel` gives them, with all its lines where the edit changed nothing."""
    if kernel.accesses or kernel.coverage or kernel.warp_accesses or kernel.findings:
        return False
    lines: list[int | None] = [kernel.line]
    if kernel.launch is not None and kernel.launch.line is not None:
        lines.append(kernel.launch.line)
    for buffer in kernel.buffers:
        decided = buffer.layout.decided_by if buffer.layout is not None else None
        lines += (buffer.line, buffer.line if decided is None or decided.line is None else decided.line)
    for operation in kernel.operations:
        lines += (operation.line, *operation.called_from)
    known = [line for line in lines if line is not None]
    return len(known) == len(lines) and shift.leaves(min(known), max(known))


class _Placed(Protocol):
    @property
    def line(self) -> int | None: ...


T = TypeVar("T", bound=_Placed)


def _moved(items: Iterable[T], shift: Shift) -> Iterable[T]:
    for item in items:
        if item.line is not None and (line := shift.line(item.line)) is not None:
            yield item if line == item.line else alike(item, line=line)


def _decided(buffer: Buffer, shift: Shift) -> Buffer:
    """A buffer whose layout names the operation that decided it at its new line."""
    layout = buffer.layout
    if layout is None or layout.decided_by is None or layout.decided_by.line is None:
        return buffer
    line = shift.line(layout.decided_by.line)
    if line == layout.decided_by.line:
        return buffer
    decided = alike(layout.decided_by, line=line)
    return alike(buffer, layout=alike(layout, decided_by=decided))


def _called(operation: Operation, shift: Shift) -> Operation:
    lines = tuple(at for line in operation.called_from if (at := shift.line(line)) is not None)
    return operation if lines == operation.called_from else alike(operation, called_from=lines)


def moved_finding(finding: Finding, shift: Shift) -> Finding | None:
    """The finding at its new lines; None where the edit touched them."""
    line, end_line = shift.line(finding.line), shift.line(finding.end_line)
    if line is None or end_line is None:
        return None
    return alike(finding, line=line, end_line=end_line)
