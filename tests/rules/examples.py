"""Kernels of ``tests/kernels/rules``, with the findings written under their lines."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from tests.carets import expectations, without_expectations
from tests.worker.conftest import captured

from tilescope_trace.gather import Gathered
from tilescope_trace.model import Finding, Kernel, Options, Snapshot
from tilescope_trace.source.plan import plan_file
from tilescope_worker import work
from tilescope_worker.wire.messages import Event, Job

FOLDER = Path(__file__).parent.parent / "kernels" / "rules"
ASSEMBLED = frozenset({"spills"})
"""Rules about what the assembler reports: their kernels are compiled to machine code, which needs nvcc."""
SEVERITIES = ("error", "warning", "info")


@dataclass(frozen=True)
class Expected:
    """A finding written in a file. ``severity`` is None where any will do; ``words`` are in its message."""

    code: str
    line: int
    column: int
    end_column: int
    severity: str | None
    words: tuple[str, ...]


@dataclass(frozen=True)
class Example:
    """A file as analysed: what is found in it, and what is to be."""

    text: str
    kernels: tuple[Kernel, ...]
    findings: tuple[Finding, ...]
    expected: tuple[Expected, ...]

    def place(self, finding: Finding) -> tuple[str, int, int, int]:
        """Code, line and columns; of a place over several lines, the end of the first."""
        if finding.end_line == finding.line:
            return finding.code, finding.line, finding.column, finding.end_column
        return finding.code, finding.line, finding.column, len(self.text.split("\n")[finding.line - 1]) + 1


def expected(text: str) -> tuple[Expected, ...]:
    """What is written in ``text`` to be found in it."""
    found = []
    for one in expectations(text):
        code, *words = shlex.split(one.text)
        severity = words.pop(0) if words and words[0] in SEVERITIES else None
        found.append(Expected(code, one.line, one.column, one.end_column, severity, tuple(words)))
    return tuple(found)


def analysed(path: Path, text: str | None = None, kernel: str | None = None) -> Example:
    """Analyse the file, or ``text`` in its place, as a user's; ``kernel`` chooses one of its kernels."""
    written = path.read_text(encoding="utf-8") if text is None else text
    text = without_expectations(written)
    plan = plan_file(Snapshot(str(path), text), Options(kernel=kernel))
    gathered = Gathered(Snapshot(str(path), text), plan)

    def send(event: Event) -> None:
        gathered.take(event, 0)

    with captured() as output:
        work.run_job(
            Job(str(path), text, plan.requests, device_compile=path.stem.rpartition("_")[0] in ASSEMBLED),
            send,
            output,
        )
    file = gathered.facts(complete=True)
    findings = [*file.findings, *(f for one in file.kernels for f in one.findings)]
    # One fault in several specializations or targets is written once.
    return Example(text, tuple(gathered.kernels), tuple(_apart(findings)), expected(written))


def lacking(message: str, words: tuple[str, ...]) -> list[str]:
    """The words that a message does not contain as whole words."""
    return [word for word in words if not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", message)]


def _apart(findings: list[Finding]) -> list[Finding]:
    seen = {}
    for finding in findings:
        seen.setdefault((finding.code, finding.line, finding.column, finding.message), finding)
    return list(seen.values())
