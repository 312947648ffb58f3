"""Parts of a run that several machines made, as one report."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from tilescope_trace.errors import UsageError
from tilescope_trace.files import read_snapshot

from .formats.public import report_of
from .model import Report
from .report import order
from .shard import Shard, parse_shard

SCHEMA = "tilescope.lint/1"


@dataclass(frozen=True)
class Part:
    """One output of ``tilescope lint --format json``; ``shard`` is None where it is a whole run."""

    path: Path
    report: Report
    shard: Shard | None


def read_part(path: Path) -> Part:
    """Raises UsageError for what is no such output."""
    try:
        value = json.loads(path.read_bytes())
        schema = value.get("schema") if isinstance(value, dict) else None
        if schema != SCHEMA:
            told = f": its schema is {schema!r}, not {SCHEMA!r}" if schema is not None else ""
            raise UsageError(f"{path} is no output of tilescope lint --format json{told}")
        report, shard = report_of(value)
        return Part(path, report, _shard(shard, path))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, msgspec.ValidationError, KeyError, RecursionError) as error:
        raise UsageError(f"{path} is no output of tilescope lint --format json: {error}") from None


def merged(parts: Sequence[Part]) -> Report:
    """One report of all parts, the same in whatever order they come, and that of a run on one machine. Raises
    UsageError where a part is missing or there twice, and where two have the same file."""
    _check(parts)
    reports = [part.report for part in parts]
    files = sorted(file for report in reports for file in report.files)
    twice = [file for file, count in Counter(files).items() if count > 1]
    if twice:
        raise UsageError(f"{twice[0]} is in several of the files: they are no parts of one run")
    findings = sorted((one for report in reports for one in report.findings), key=lambda one: order(one.finding))
    place = {file: number for number, file in enumerate(files)}
    cells = sorted((cell for report in reports for cell in report.cells), key=lambda cell: place.get(cell.file, 0))
    return Report(
        files=tuple(files),
        findings=tuple(findings),
        cells=tuple(cells),
        suppressed=sum(report.suppressed for report in reports),
        baselined=sum(report.baselined for report in reports),
    )


def with_texts(report: Report) -> Report:
    """The report with the sources that are here, for excerpts."""
    read = {file: _text(file) for file in {one.finding.file for one in report.findings}}
    return replace(report, texts={file: text for file, text in read.items() if text is not None})


def _shard(text: str | None, path: Path) -> Shard | None:
    try:
        return parse_shard(text) if text is not None else None
    except UsageError:
        raise UsageError(f"{path} is no output of tilescope lint --format json: its shard is {text!r}") from None


def _text(file: str) -> str | None:
    try:
        return read_snapshot(Path(file)).text
    except UsageError:
        return None


def _check(parts: Sequence[Part]) -> None:
    counts = {part.shard.count for part in parts if part.shard is not None}
    if len(counts) > 1:
        raise UsageError(f"these are parts of different runs: of {', '.join(map(str, sorted(counts)))} parts")
    if not counts:
        return
    count = counts.pop()
    numbers = Counter(part.shard.number for part in parts if part.shard is not None)
    missing = [f"{number}/{count}" for number in range(1, count + 1) if number not in numbers]
    if missing:
        raise UsageError(f"part {missing[0]} is missing: did its machine fail?")
    twice = [f"{number}/{count}" for number, times in numbers.items() if times > 1]
    if twice:
        raise UsageError(f"part {twice[0]} is there more than once")
