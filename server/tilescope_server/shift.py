"""Where the lines of an older text are in a newer one, and facts carried over along them.

An edit is local: lines before it stay, lines after it move together. What lies inside the edit is given up.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tilescope_trace.model import Finding, Kernel
from tilescope_trace.text_lines import lines_of


@dataclass(frozen=True)
class Shift:
    """Lines 1 to ``head`` are unchanged; lines from ``tail`` on have moved by ``offset``. 1-based, old text."""

    head: int
    tail: int
    offset: int

    def line(self, old: int) -> int | None:
        """The line's number in the new text, None where the edit touched it."""
        if old <= self.head:
            return old
        return old + self.offset if old >= self.tail else None


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
    return Shift(head, len(before) - same + 1, len(after) - len(before))


def moved_kernel(kernel: Kernel, shift: Shift) -> Kernel | None:
    """The kernel at its new lines, without the entries the edit touched; None where its ``def`` was touched."""
    line = shift.line(kernel.line)
    if line is None:
        return None
    launch = kernel.launch
    if launch is not None and launch.line is not None:
        place = shift.line(launch.line)
        launch = None if place is None else replace(launch, line=place)
    buffers = [(shift.line(item.line), item) for item in kernel.buffers if item.line is not None]
    operations = [(shift.line(item.line), item) for item in kernel.operations if item.line is not None]
    return replace(
        kernel,
        line=line,
        launch=launch,
        buffers=tuple(replace(item, line=place) for place, item in buffers if place is not None),
        operations=tuple(replace(item, line=place) for place, item in operations if place is not None),
        findings=(),
    )


def moved_finding(finding: Finding, shift: Shift) -> Finding | None:
    """The finding at its new lines; None where the edit touched them."""
    line, end_line = shift.line(finding.line), shift.line(finding.end_line)
    if line is None or end_line is None:
        return None
    return replace(finding, line=line, end_line=end_line)
