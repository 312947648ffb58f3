"""What is known about one document at one moment: the newest facts, and older compiled ones as far as they fit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from tilescope_trace.model import FileFacts, Finding, Kernel, Snapshot, Stage

from . import shift

STAGES: tuple[Stage, ...] = ("static", "buffers", "layouts", "lowered", "registers")


@dataclass(frozen=True)
class Compiled:
    """Compiled facts and the text they hold for."""

    snapshot: Snapshot
    facts: FileFacts


@dataclass(frozen=True)
class View:
    """One kernel as features see it: its newest facts, and those of an older text at their lines in this one. Only
    one of them may be absent; ``fresh`` is, where static facts cannot see the kernel (the text does not parse)."""

    fresh: Kernel | None
    stale: Kernel | None = None


@dataclass(frozen=True)
class Analysis:
    """``facts`` hold for ``snapshot`` (None until the first ones are there). ``last`` is the newest compiled state
    of an older text; until the compiler has answered for this one, what of it still fits is shown as stale.
    ``problem`` says in words why facts are missing."""

    snapshot: Snapshot
    facts: FileFacts | None = None
    last: Compiled | None = None
    problem: str | None = None

    def edited(self, snapshot: Snapshot) -> Analysis:
        """The analysis of a newer text about which nothing is known yet."""
        if self.facts is None or not any(is_compiled(kernel) for kernel in self.facts.kernels):
            return Analysis(snapshot, None, self.last)
        return Analysis(snapshot, None, Compiled(self.snapshot, self.facts))

    def informed(self, facts: FileFacts, problem: str | None = None) -> Analysis:
        """The same text with newer facts; a problem stays until the text changes."""
        return replace(self, facts=facts, problem=problem or self.problem)

    @property
    def kernels(self) -> tuple[Kernel, ...]:
        return self.facts.kernels if self.facts is not None else ()

    @property
    def stage(self) -> Stage:
        """The earliest stage among the kernels that compile; ``static`` where none does."""
        reached = [STAGES.index(kernel.stage) for kernel in self.kernels if kernel.status in ("ok", "partial")]
        return STAGES[min(reached)] if reached else "static"

    @property
    def parses(self) -> bool:
        """False while the text has a syntax error."""
        return self.facts is None or not any(finding.code == "TS001" for finding in self.facts.findings)

    @property
    def answered(self) -> bool:
        """True once no more facts are due for this text."""
        return self.facts is not None and self.facts.complete and self.parses

    def views(self) -> tuple[View, ...]:
        """All kernels, fresh facts paired with stale ones of the same kernel and target, in order."""
        stale = defaultdict(list)
        for kernel in self._moved():
            stale[_identity(kernel)].append(kernel)
        views = []
        for kernel in self.kernels:
            waiting = stale[_identity(kernel)]
            views.append(View(kernel, waiting.pop(0) if waiting else None))
        if self.facts is None or not self.parses:
            views.extend(View(None, kernel) for waiting in stale.values() for kernel in waiting)
        return tuple(views)

    def findings(self) -> tuple[Finding, ...]:
        """Findings of the file and of its kernels. While the compiler works on this text, its findings about the
        last one stay where their lines are untouched, so that they do not flicker."""
        if self.facts is None:
            return ()
        found = [*self.facts.findings, *_of_kernels(self.facts.kernels)]
        if self.last is not None and not self.facts.complete:
            moves = shift.between(self.last.snapshot.text, self.snapshot.text)
            moved = (shift.moved_finding(finding, moves) for finding in _of_kernels(self.last.facts.kernels))
            found.extend(finding for finding in moved if finding is not None)
        return tuple(found)

    def _moved(self) -> tuple[Kernel, ...]:
        if self.last is None or self.answered:
            return ()
        moves = shift.between(self.last.snapshot.text, self.snapshot.text)
        compiled = (kernel for kernel in self.last.facts.kernels if is_compiled(kernel))
        moved = (shift.moved_kernel(kernel, moves) for kernel in compiled)
        return tuple(kernel for kernel in moved if kernel is not None)


def is_compiled(kernel: Kernel) -> bool:
    """True where the compiler has said more than the source does."""
    return kernel.stage in STAGES[2:]


def _identity(kernel: Kernel) -> tuple[str, str, int]:
    return kernel.qualname, kernel.target, kernel.line


def _of_kernels(kernels: Iterable[Kernel]) -> list[Finding]:
    return [finding for kernel in kernels for finding in kernel.findings]
