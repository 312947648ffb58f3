"""What a run over the corpus leaves behind: one line of JSON for each file, written as soon as the file is done."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

from tilescope_trace.model import FileFacts

from .outcome import Outcome, outcomes


@dataclass(frozen=True)
class Told:
    """A finding: where, and what it says. ``kernel`` is None for those of the file."""

    file: str
    line: int
    kernel: str | None
    target: str | None
    code: str
    severity: str
    confidence: str
    message: str


@dataclass(frozen=True)
class FileRun:
    """One analysed file: its kernels' outcomes, all findings, the wall time, what broke the host (nothing may)."""

    package: str
    file: str
    outcomes: tuple[Outcome, ...]
    findings: tuple[Told, ...]
    seconds: float
    broke: str | None = None


def file_run(package: str, name: str, facts: FileFacts | None, seconds: float, broke: str | None) -> FileRun:
    """The run of file ``name`` (its path in the package) that ended with ``facts``."""
    if facts is None:
        return FileRun(package, name, (), (), seconds, broke)
    everywhere = [*facts.findings, *(finding for kernel in facts.kernels for finding in kernel.findings)]
    told = dict.fromkeys(
        Told(
            name if finding.file == facts.file else finding.file,
            finding.line,
            finding.kernel,
            finding.target,
            finding.code,
            finding.severity,
            finding.confidence,
            finding.message,
        )
        for finding in everywhere
    )
    return FileRun(package, name, outcomes(name, facts), tuple(told), seconds, broke)


def write(file: TextIO, run: FileRun) -> None:
    """Append ``run``, at once."""
    print(json.dumps(asdict(run)), file=file, flush=True)


def read(path: Path) -> list[FileRun]:
    """The runs of a file that :func:`write` made, the newest of each corpus file; none where there is no file."""
    if not path.is_file():
        return []
    runs = (_run(json.loads(line)) for line in path.read_text("utf-8").splitlines())
    return list({(run.package, run.file): run for run in runs}.values())


def _run(row: dict[str, Any]) -> FileRun:
    found = tuple(Outcome(**{**outcome, "notes": tuple(outcome["notes"])}) for outcome in row.pop("outcomes"))
    told = tuple(Told(**finding) for finding in row.pop("findings"))
    return FileRun(**row, outcomes=found, findings=told)


def loud(runs: Iterable[FileRun]) -> list[Told]:
    """Findings that are errors or warnings, by code, file and line."""
    told = (finding for run in runs for finding in run.findings if finding.severity in ("error", "warning"))
    return sorted(told, key=lambda one: (one.code, one.file, one.line, one.kernel or ""))
