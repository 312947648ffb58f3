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
    """What the compiler said of an earlier text, of that ``version``: what later edits left untouched of it, at its
    lines in the present text."""

    version: int | None
    kernels: tuple[Kernel, ...] = ()
    findings: tuple[Finding, ...] = ()

    def moved(self, moves: shift.Shift) -> Compiled:
        """The same after one more edit."""
        kernels = (shift.moved_kernel(kernel, moves) for kernel in self.kernels)
        findings = (shift.moved_finding(finding, moves) for finding in self.findings)
        return replace(
            self,
            kernels=tuple(kernel for kernel in kernels if kernel is not None),
            findings=tuple(finding for finding in findings if finding is not None),
        )


@dataclass(frozen=True)
class View:
    """One kernel as features see it: its newest facts, and those of an older text at their lines in this one. Only
    one of them may be absent; ``fresh`` is, where static facts cannot see the kernel (the text does not parse)."""

    fresh: Kernel | None
    stale: Kernel | None = None


@dataclass(frozen=True)
class Analysis:
    """``facts`` hold for ``snapshot`` (None until the first ones are there). ``last`` is the newest compiled state
    of an older text; until the compiler has answered for this one, what still fits of it is shown as stale.
    ``problem`` says in words why facts are missing. ``part_of_broken``: this is one cell of a notebook, in another
    of which there is a syntax error."""

    snapshot: Snapshot
    facts: FileFacts | None = None
    last: Compiled | None = None
    problem: str | None = None
    part_of_broken: bool = False

    def edited(self, snapshot: Snapshot) -> Analysis:
        """The analysis of a newer text about which nothing is known yet."""
        last = self.last or Compiled(None)
        compiled = tuple(kernel for kernel in self.kernels if is_compiled(kernel))
        if compiled:
            last = replace(last, version=self.snapshot.version, kernels=compiled)
        if self.answered:
            last = replace(last, findings=tuple(_of_kernels(self.kernels)))
        if last.kernels or last.findings:
            last = last.moved(shift.between(self.snapshot.text, snapshot.text))
        return Analysis(snapshot, None, last)

    def informed(self, facts: FileFacts, problem: str | None = None) -> Analysis:
        """The same text with newer facts; a problem stays until the text changes."""
        return replace(self, facts=facts, problem=problem or self.problem)

    @property
    def kernels(self) -> tuple[Kernel, ...]:
        return self.facts.kernels if self.facts is not None else ()

    @property
    def stage(self) -> Stage:
        """The earliest stage among the kernels that compile, or, where none does, among those that fail."""
        well = [STAGES.index(kernel.stage) for kernel in self.kernels if kernel.status in ("ok", "partial")]
        failed = [STAGES.index(kernel.stage) for kernel in self.kernels if kernel.status == "failed"]
        return STAGES[min(well or failed, default=0)]

    @property
    def parses(self) -> bool:
        """False while the text has a syntax error."""
        return not self.part_of_broken and (self.facts is None or parses(self.facts))

    @property
    def answered(self) -> bool:
        """True once no more facts are due for this text."""
        return self.facts is not None and self.facts.complete and self.parses

    def views(self) -> tuple[View, ...]:
        """All kernels, fresh facts paired with stale ones of the same kernel and target, in order."""
        stale = defaultdict(list)
        for kernel in self.last.kernels if self.last is not None and not self.answered else ():
            stale[_identity(kernel)].append(kernel)
        views = []
        for kernel in self.kernels:
            waiting = stale[_identity(kernel)]
            views.append(View(kernel, waiting.pop(0) if waiting else None))
        if self.facts is None or not self.parses:
            views.extend(View(None, kernel) for waiting in stale.values() for kernel in waiting)
        return tuple(views)

    def seen(self) -> tuple[Kernel, ...]:
        """The kernels of the text; while it does not parse, those of the last one that did, where they are now."""
        kernels = (view.fresh or view.stale for view in self.views())
        return tuple(kernel for kernel in kernels if kernel is not None)

    def findings(self) -> tuple[Finding, ...]:
        """Findings of the file and of its kernels. While the compiler works on this text, its findings about the
        last one stay where their lines are untouched, so that they do not flicker."""
        if self.facts is None:
            return ()
        found = [*self.facts.findings, *_of_kernels(self.facts.kernels)]
        if self.last is not None and not self.facts.complete:
            found.extend(self.last.findings)
        return tuple(found)


def parses(facts: FileFacts) -> bool:
    """False for facts of a text with a syntax error."""
    return not any(finding.code == "TS001" for finding in facts.findings)


def is_compiled(kernel: Kernel) -> bool:
    """True where the compiler has said more than the source does."""
    return kernel.stage in STAGES[2:]


def _identity(kernel: Kernel) -> tuple[str, str, int]:
    return kernel.qualname, kernel.target, kernel.line


def _of_kernels(kernels: Iterable[Kernel]) -> list[Finding]:
    return [finding for kernel in kernels for finding in kernel.findings]
