"""From what was checked to what is reported: selected, without what is suppressed or in the baseline."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from tilescope_trace.model import Finding, Kernel, Place

from .model import Cell, Checked, Report
from .select import Selection
from .suppress import apply as suppress


@dataclass(frozen=True)
class Reported:
    """One file's part of a report."""

    shown: str
    text: str
    findings: tuple[Finding, ...]
    cells: tuple[Cell, ...]
    suppressed: int
    cached: bool


def reported(checked: Checked, selection: Selection) -> Reported:
    """The findings of a file that count, under the names that output uses."""
    source = checked.source
    names = {source.path: source.shown}
    found = [*checked.facts.findings, *(one for kernel in checked.facts.kernels for one in kernel.findings)]
    text = source.text or ""
    kept, suppressed = suppress([_renamed(one, names) for one in found], text, source.shown)
    counted = (selection.apply(one, source.path) for one in kept)
    return Reported(
        shown=source.shown,
        text=text,
        findings=tuple(sorted((one for one in counted if one is not None), key=order)),
        cells=tuple(_cell(source.shown, kernel) for kernel in checked.facts.kernels),
        suppressed=suppressed,
        cached=checked.cached,
    )


def gathered(parts: Iterable[Reported]) -> Report:
    """The report of all files, the same in whatever order they were checked."""
    files = sorted(parts, key=lambda part: part.shown)
    findings = sorted((one for part in files for one in part.findings), key=order)
    excerpted = {finding.file for finding in findings}
    return Report(
        files=tuple(part.shown for part in files),
        findings=tuple(findings),
        cells=tuple(cell for part in files for cell in part.cells),
        suppressed=sum(part.suppressed for part in files),
        cached=sum(part.cached for part in files),
        texts={part.shown: part.text for part in files if part.shown in excerpted},
    )


def order(finding: Finding) -> tuple[str, int, int, str, str, str, str, str]:
    """Findings of a file stand in order of their place; equal ones of several targets by kernel and target."""
    return (
        finding.file,
        finding.line,
        finding.column,
        finding.code,
        finding.kernel or "",
        finding.target or "",
        finding.specialization or "",
        finding.message,
    )


def joined(findings: Iterable[Finding]) -> list[tuple[Finding, tuple[str, ...]]]:
    """Findings that say the same of one place for several targets or specializations as one, with its targets."""
    groups: dict[Finding, list[Finding]] = {}  # findings without fixes: those cannot be hashed
    for finding in findings:
        same = replace(
            finding, kernel=None, specialization=None, target=None, pass_name=None, compiler=None, fixes=()
        )
        groups.setdefault(same, []).append(finding)
    return [(one[0], tuple(dict.fromkeys(f.target for f in one if f.target))) for one in groups.values()]


def _renamed(finding: Finding, names: Mapping[str, str]) -> Finding:
    related = tuple(Place(names.get(one.file, one.file), one.line, one.message) for one in finding.related)
    return replace(finding, file=names.get(finding.file, finding.file), related=related)


def _cell(shown: str, kernel: Kernel) -> Cell:
    errors = [finding for finding in kernel.findings if finding.severity == "error"]
    stopping = errors[0] if errors else next((one for one in kernel.findings if one.code == "TS003"), None)
    arguments = kernel.specialization.args
    return Cell(
        file=shown,
        kernel=kernel.qualname,
        line=kernel.line,
        target=kernel.target,
        specialization=kernel.specialization.id,
        arguments=", ".join(f"{name}={argument.value}" for name, argument in arguments.items()),
        status=kernel.status,
        reason=None
        if stopping is None or kernel.status == "ok"
        else f"{stopping.code} line {stopping.line}: {stopping.message}",
    )
