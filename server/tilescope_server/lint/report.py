"""From what was checked to what is reported: selected, without what is suppressed, each finding once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from tilescope_trace.findings_in_cells import in_cells, texts_of
from tilescope_trace.model import FileFacts, Finding, Kernel, Place
from tilescope_trace.notebook_files import Cells, cell_name
from tilescope_trace.rules.analysis import no_tilelang

from .model import Cell, Checked, Listed, Report, Variant
from .select import Selection
from .suppress import apply as suppress


@dataclass(frozen=True)
class Reported:
    """One file's part of a report. ``texts`` has the source by name, of a notebook each cell. ``complete`` tells that
    nothing was left out of it that can be found."""

    shown: str
    texts: dict[str, str]
    findings: tuple[Listed, ...]
    cells: tuple[Cell, ...]
    suppressed: int
    cached: bool
    complete: bool


def reported(checked: Checked, selection: Selection) -> Reported:
    """The findings of a file that count, under the names that output uses."""
    source = checked.source
    names = {source.path: source.shown}
    found = [*checked.facts.findings, *(one for kernel in checked.facts.kernels for one in kernel.findings)]
    text = source.text or ""
    complete = is_complete(checked.facts)
    found = [_graded(_renamed(one, names)) for one in found]
    kept, suppressed = suppress(found, text, source.shown, complete=complete)
    counted = [one for one in (selection.apply(one, source.path) for one in kept) if one is not None]
    cells = tuple(_cell(source.shown, kernel, kept) for kernel in checked.facts.kernels)
    if source.cells is not None:
        counted = [in_cells(one, source.cells, source.shown) for one in counted]
        cells = tuple(_table_in_cells(one, source.cells) for one in cells)
    return Reported(
        shown=source.shown,
        texts=texts_of(source.cells, source.shown) if source.cells is not None else {source.shown: text},
        findings=tuple(joined(counted, _assumed(checked.facts.kernels))),
        cells=cells,
        suppressed=suppressed,
        cached=checked.cached,
        complete=complete,
    )


def gathered(parts: Iterable[Reported]) -> Report:
    """The report of all files, the same in whatever order they were checked."""
    files = sorted(parts, key=lambda part: part.shown)
    findings = sorted((one for part in files for one in part.findings), key=lambda one: order(one.finding))
    excerpted = {one.finding.file for one in findings}
    return Report(
        files=tuple(part.shown for part in files),
        findings=tuple(findings),
        cells=tuple(cell for part in files for cell in part.cells),
        suppressed=sum(part.suppressed for part in files),
        cached=sum(part.cached for part in files),
        texts={name: text for part in files for name, text in part.texts.items() if name in excerpted},
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


def joined(findings: Iterable[Finding], assumed: Mapping[tuple[str, str], str]) -> list[Listed]:
    """Findings, in order, those that say the same of one place for several kernels, specializations or targets as
    one; ``assumed`` are the assumed arguments of a kernel and specialization."""
    groups: dict[Finding, list[Finding]] = {}
    for finding in sorted(findings, key=order):
        # Without what differs between them, and without fixes, which cannot be hashed.
        same = replace(
            finding, kernel=None, specialization=None, target=None, pass_name=None, compiler=None, help=None, fixes=()
        )
        groups.setdefault(same, []).append(finding)
    return [
        Listed(
            next((one for one in group if one.fixes), group[0]),
            tuple(dict.fromkeys(_variant(one, assumed) for one in group if one.kernel is not None)),
        )
        for group in groups.values()
    ]


def is_complete(facts: FileFacts) -> bool:
    """Whether all that the rules can find in a file was found: every kernel was compiled, to its end."""
    broken = any(finding.severity == "error" for finding in facts.findings)
    return not broken and all(
        kernel.status == "ok" and kernel.stage in ("lowered", "registers") for kernel in facts.kernels
    )


def _variant(finding: Finding, assumed: Mapping[tuple[str, str], str]) -> Variant:
    kernel, specialization = finding.kernel or "", finding.specialization or ""
    return Variant(kernel, specialization, finding.target or "", assumed.get((kernel, specialization), ""))


def _assumed(kernels: Iterable[Kernel]) -> dict[tuple[str, str], str]:
    return {
        (kernel.qualname, kernel.specialization.id): ", ".join(
            f"{name}={argument.value}"
            for name, argument in kernel.specialization.args.items()
            if argument.origin == "assumed"
        )
        for kernel in kernels
    }


def _renamed(finding: Finding, names: Mapping[str, str]) -> Finding:
    related = tuple(Place(names.get(one.file, one.file), one.line, one.message) for one in finding.related)
    return replace(finding, file=names.get(finding.file, finding.file), related=related)


def _graded(finding: Finding) -> Finding:
    """An editor goes on with static facts; a run that was to compile and could not must not pass for a clean one."""
    return replace(finding, severity="error") if finding.code == no_tilelang.RULE.code else finding


def _cell(shown: str, kernel: Kernel, kept: Iterable[Finding]) -> Cell:
    """``kept`` are the findings of the file that no comment suppresses."""
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
        # The front end goes on behind what it cannot take: that is no kernel yet.
        status="failed" if errors and kernel.status == "partial" and kernel.stage != "static" else kernel.status,
        stage=kernel.stage,
        reason=_reason(kernel, stopping),
        assumed=kernel.specialization.origin == "assumed",
        errors=tuple(dict.fromkeys(_told(one) for one in kept if _is_error_of(one, kernel)))
        if kernel.status == "ok"
        else (),
    )


def _is_error_of(finding: Finding, kernel: Kernel) -> bool:
    about = (finding.kernel, finding.specialization, finding.target)
    return finding.severity == "error" and about == (kernel.qualname, kernel.specialization.id, kernel.target)


def _told(finding: Finding) -> str:
    return f"{finding.code} line {finding.line}: {finding.message}"


def _table_in_cells(row: Cell, cells: Cells) -> Cell:
    number, line = cells.place(row.line)
    return replace(row, file=cell_name(row.file, number), line=line)


def _reason(kernel: Kernel, stopping: Finding | None) -> str | None:
    if kernel.status == "ok":
        return None
    if stopping is not None:
        return _told(stopping)
    if kernel.missing:
        return f"no value for {', '.join(kernel.missing)}"
    return None
