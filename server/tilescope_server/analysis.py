"""What is known about one document at one moment: the newest facts, and older compiled ones as far as they fit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from tilescope_trace.model import FileFacts, Finding, Kernel, Snapshot, Stage

from . import shift

UNRESOLVED = "TS003"
"""The finding of a kernel whose arguments are not known."""
STAGES: tuple[Stage, ...] = ("static", "buffers", "layouts", "lowered", "registers")


@dataclass(frozen=True)
class Compiled:
    """What the compiler said of an earlier text, of that ``version``: what later edits left untouched of it, at its
    lines in the present text."""

    version: int | None
    kernels: tuple[Kernel, ...] = ()
    findings: tuple[Finding, ...] = ()
    earlier: Mapping[tuple[str, str], int | None] = field(default_factory=dict)
    """Versions of the kernels (by qualified name and target) that have not compiled since an even earlier text."""

    def version_of(self, kernel: Kernel) -> int | None:
        """The version of the text that the compiler said this of."""
        return self.earlier.get((kernel.qualname, kernel.target), self.version)

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
    of older texts; until the compiler has answered for this one, and of kernels that it refuses, what still fits of
    that is shown as stale.
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
        if compiled or self.answered:
            last = self._with_older(last, compiled)
        if self.answered:
            last = replace(last, findings=tuple(_of_kernels(self.kernels)))
        if last.kernels or last.findings:
            last = last.moved(shift.between(self.snapshot.text, snapshot.text))
        return Analysis(snapshot, None, last)

    def _with_older(self, last: Compiled, compiled: tuple[Kernel, ...]) -> Compiled:
        """What the compiler has said of this text; of kernels that it refuses, what it said when it took them."""
        well = {_identity(kernel) for kernel in compiled if not is_refused(kernel)}
        here = {_identity(kernel) for kernel in self.kernels}
        older = tuple(
            kernel
            for kernel in last.kernels
            if _identity(kernel) not in well and (not self.answered or _identity(kernel) in here)
        )
        kept = {_identity(kernel) for kernel in older}
        newer = tuple(kernel for kernel in compiled if _identity(kernel) not in kept)
        if not newer:
            return replace(last, kernels=older)
        earlier = {(kernel.qualname, kernel.target): last.version_of(kernel) for kernel in older}
        return replace(last, version=self.snapshot.version, kernels=(*older, *newer), earlier=earlier)

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
        for kernel in self.last.kernels if self.last is not None else ():
            stale[_identity(kernel)].append(kernel)
        views = []
        for kernel in self.kernels:
            settled = self.answered and is_compiled(kernel) and not is_refused(kernel)
            waiting = stale[_identity(kernel)] if not settled else []
            views.append(View(kernel, waiting.pop(0) if waiting else None))
        if self.facts is None or not self.parses:
            views.extend(View(None, kernel) for waiting in stale.values() for kernel in waiting)
        return tuple(views)

    def seen(self) -> tuple[Kernel, ...]:
        """The kernels of the text; while it does not parse, those of the last one that did, where they are now."""
        kernels = (view.fresh or view.stale for view in self.views())
        return tuple(kernel for kernel in kernels if kernel is not None)

    def names_unresolved(self, finding: Finding) -> tuple[str, ...]:
        """The parameters without a value that a finding is about; none where it is about something else."""
        kernels = (one for one in self.kernels if one.qualname == finding.kernel and one.missing)
        return next((one.missing for one in kernels), ()) if finding.code == UNRESOLVED else ()

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


def is_refused(kernel: Kernel) -> bool:
    """True where the compiler does not take the kernel. Its front end goes on behind what it cannot take: what comes
    of that is no kernel yet."""
    errors = any(finding.severity == "error" for finding in kernel.findings)
    return kernel.status == "failed" or (kernel.status == "partial" and errors)


def is_compiled(kernel: Kernel) -> bool:
    """True where the compiler has said more than the source does."""
    return kernel.stage in STAGES[2:]


def _identity(kernel: Kernel) -> tuple[str, str, int]:
    return kernel.qualname, kernel.target, kernel.line


def _of_kernels(kernels: Iterable[Kernel]) -> list[Finding]:
    return [finding for kernel in kernels for finding in kernel.findings]
