"""Facts of a file as they grow: static ones first, then each stage over the one before, and the findings."""

from __future__ import annotations

import ast
from dataclasses import replace

from tilescope_worker.wire.messages import Event, Failure, KernelUpdate, RequestDone

from .host import WorkerEnded
from .model import Access, FileFacts, Finding, Kernel, Operation, Snapshot
from .occupancy import with_occupancy
from .rules import checks, failures
from .rules.analysis import worker_ended
from .rules.macros import call_sites
from .rules.portability import removed_api, target_lacking
from .source.arguments import CONFIGS_UNKNOWN
from .source.columns import locate
from .source.nodes import nodes
from .source.plan import FilePlan


class Gathered:
    """What is known so far of a file's kernels; events are merged in as they come."""

    def __init__(self, snapshot: Snapshot, plan: FilePlan) -> None:
        self.snapshot = snapshot
        self.plan = plan
        self.tilelang: str | None = None
        self.kernels: list[Kernel] = list(plan.statics)
        self.findings: list[Finding] = list(plan.findings)
        self._latest: dict[int, Finding] = {}
        self._reported: dict[int, tuple[Finding, ...]] = {}
        for number in range(len(self.kernels)):
            self._check(number)

    def facts(self, *, complete: bool) -> FileFacts:
        return FileFacts(
            file=self.snapshot.path,
            tilelang=self.tilelang,
            kernels=tuple(self.kernels),
            findings=(*self.findings, *self._removed(), *(self._lacking() if complete else ())),
            complete=complete,
            notes=self.plan.notes,
        )

    def _removed(self) -> list[Finding]:
        """What the text uses that some TileLang does not have, but for what the installed one has said itself."""
        every = [*self.findings, *(finding for kernel in self.kernels for finding in kernel.findings)]
        told = {finding.message for finding in every if finding.code == removed_api.RULE.code}
        found = removed_api.findings(self.snapshot.text, self.snapshot.path, self.tilelang)
        return [finding for finding in found if finding.message not in told]

    def _lacking(self) -> tuple[Finding, ...]:
        """Kernels that lower for some of their targets only."""
        return target_lacking.findings(self.kernels, self.snapshot.text)

    def take(self, event: Event, first: int) -> bool:
        """Merge an event of a job whose requests start at number ``first``; True when something changed."""
        if isinstance(event, KernelUpdate):
            self._update(first + event.request, event.kernel)
        elif isinstance(event, Failure):
            self._fail(None if event.request is None else first + event.request, event)
        elif isinstance(event, RequestDone) and event.status != "ok":
            number = first + event.request
            self.kernels[number] = replace(self.kernels[number], status=event.status)
        else:
            return False
        return True

    def end(self, end: WorkerEnded, number: int | None) -> Gathered:
        """Blame the end of the process on kernel ``number``, or on the file."""
        kernel = None if number is None else self.kernels[number]
        line = end.line_in(self.snapshot.path)
        finding = worker_ended.finding(end.detail, self.snapshot.text, self.snapshot.path, kernel, line, end.output)
        if number is None:
            self.findings.append(finding)
        elif kernel is not None and kernel.missing:
            # Values were tried that nothing gives; with those of a real call the process may live.
            tried = f"{finding.message}, while values were tried for {', '.join(kernel.missing)}"
            self._add(number, replace(finding, severity="info", confidence="likely", message=tried))
        else:
            self._add(number, finding)
            self.kernels[number] = replace(self.kernels[number], status="failed")
        return self

    def _update(self, number: int, kernel: Kernel) -> None:
        before = self.kernels[number]
        located = locate(kernel, self.plan.parsed)
        self.kernels[number] = replace(
            located,
            # A stage may know less than the one before where the compiler failed between them.
            launch=with_occupancy(located) or before.launch,
            buffers=located.buffers or before.buffers,
            operations=_with_calls(located.operations, self.plan.statics[number].operations) or before.operations,
            accesses=self._called(located.accesses, located.line) or before.accesses,
            coverage=located.coverage or before.coverage,
            findings=before.findings,
            notes=tuple(dict.fromkeys(_holding(before.notes, located) + located.notes)),
        )
        self._check(number)

    def _called(self, accesses: tuple[Access, ...], line: int) -> tuple[Access, ...]:
        """Accesses with the call sites of the macro they are in; the kernel's ``def`` is at ``line``."""
        tree = self.plan.parsed.tree
        functions = (node for node in nodes(tree, ast.FunctionDef) if node.lineno == line)
        last = next((node.end_lineno or line for node in functions), line)
        outside = {one.line for one in accesses if one.line is not None and not line <= one.line <= last}
        sites = {at: tuple(site for _, site in call_sites(tree, at, line)) for at in outside}
        return tuple(replace(one, called_from=sites[one.line]) if one.line in sites else one for one in accesses)

    def _fail(self, number: int | None, failure: Failure) -> None:
        kernel = None if number is None else self.kernels[number]
        finding = failures.finding_of(failure, kernel, self.snapshot.text, self.snapshot.path)
        if number is None:
            self.findings.append(finding)
            return
        if failure.refines:
            self._drop(number, self._latest.get(number))
        self._add(number, finding)
        if failure.severity != "warning":
            self._latest[number] = finding
        if failure.missing:
            self.kernels[number] = replace(self.kernels[number], missing=failure.missing)

    def _drop(self, number: int, finding: Finding | None) -> None:
        """Take a finding back that a better one replaces."""
        self._reported[number] = tuple(one for one in self._reported.get(number, ()) if one != finding)
        self._check(number)

    def _add(self, number: int, finding: Finding) -> None:
        reported = self._reported.get(number, ())
        # What is left of a kernel may fail once more for the same: what else was said of it is no other fault.
        if all(_fault(one) != _fault(finding) for one in reported):
            self._reported[number] = (*reported, finding)
            self._check(number)

    def _check(self, number: int) -> None:
        """What was reported of a kernel, and what the rules find in its facts as they are now. Where both tell of one
        fault, the rules know more of it; at a place that stops the compiler they have nothing to add."""
        kernel = self.kernels[number]
        source = (self.snapshot.text, self.snapshot.path, lambda: self.plan.parsed.tree)
        stopped = {(one.line, one.column) for one in self._reported.get(number, ()) if one.severity == "error"}
        found = tuple(
            one
            for one in checks.findings_of(kernel, *source)
            if one.severity == "error" or (one.line, one.column) not in stopped
        )
        told = {(finding.code, finding.line) for finding in found}
        said = {(one.code, one.line): one.compiler for one in self._reported.get(number, ())}
        reported = [
            one
            for one in self._reported.get(number, ())
            if (one.code, one.line) not in told and not checks.refuted(one, kernel, *source)
        ]
        found = tuple(replace(one, compiler=one.compiler or said.get((one.code, one.line))) for one in found)
        self.kernels[number] = replace(kernel, findings=(*reported, *found))


def _holding(notes: tuple[str, ...], kernel: Kernel) -> tuple[str, ...]:
    """The static notes that still hold for a kernel the worker has told of."""
    return notes if kernel.stage == "static" else tuple(note for note in notes if note != CONFIGS_UNKNOWN)


def _with_calls(operations: tuple[Operation, ...], static: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """Compiled operations with what the source shows and the IR does not: the call sites of the macro they are in,
    and the stages asked of a T.Pipelined that the compiler takes for a plain loop."""
    calls = {(operation.kind, operation.line): operation.called_from for operation in static}
    asked = {one.line: one.detail.get("num_stages") for one in static if one.kind == "pipeline"}
    return tuple(
        replace(
            operation,
            called_from=operation.called_from or calls.get((operation.kind, operation.line), ()),
            detail=operation.detail | {"num_stages": asked[operation.line]}
            if operation.kind == "loop" and asked.get(operation.line) is not None
            else operation.detail,
        )
        for operation in operations
    )


def _fault(finding: Finding) -> tuple[object, ...]:
    """What makes two findings about one kernel one: the rule, the place, and what is said."""
    return finding.code, finding.file, finding.line, finding.column, finding.message
