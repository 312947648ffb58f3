"""What became of a kernel, in one word, and why."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tilescope_trace.model import FileFacts, Finding, Kernel

OUTCOMES = (
    "layouts",
    "compiler fails",
    "front end fails",
    "import fails",
    "no arguments",
    "not in force",
    "crash",
    "other",
)
"""``layouts``: compiled at least through layout inference. ``compiler fails``: a PrimFunc was built, and a pass up to
there refuses it. ``front end fails``: building it raises. ``import fails``: executing the file does."""

_OF_COMPILER = ("TS102", "TS103")
"""Rules of failures in passes and in code generation."""


@dataclass(frozen=True)
class Outcome:
    """A kernel x specialization x target. ``origin`` is that of its weakest argument; ``reason`` is empty for
    ``layouts``."""

    file: str
    kernel: str
    line: int
    target: str
    origin: str | None
    stage: str
    status: str
    outcome: str
    reason: str
    notes: tuple[str, ...]


def outcomes(file: str, facts: FileFacts) -> tuple[Outcome, ...]:
    """Those of all kernels of a file."""
    return tuple(_outcome(file, kernel, facts.findings) for kernel in facts.kernels)


def _outcome(file: str, kernel: Kernel, of_file: Sequence[Finding]) -> Outcome:
    name, reason = _judged(kernel, of_file)
    return Outcome(
        file,
        kernel.qualname,
        kernel.line,
        kernel.target,
        kernel.specialization.origin,
        kernel.stage,
        kernel.status,
        name,
        reason,
        kernel.notes,
    )


def _judged(kernel: Kernel, of_file: Sequence[Finding]) -> tuple[str, str]:
    errors = [finding for finding in kernel.findings if finding.severity == "error"]
    codes = {finding.code for finding in kernel.findings}
    whole = kernel.stage in ("layouts", "lowered", "registers") and not any(
        "without" in note for note in kernel.notes
    )
    if kernel.stage == "lowered" or (whole and kernel.status == "failed"):
        return "layouts", ""
    if "TS004" in codes:
        return "crash", _said(next(f for f in kernel.findings if f.code == "TS004"))
    if "TS003" in codes:
        return "no arguments", "no value for " + ", ".join(kernel.missing)
    module = [finding for finding in of_file if finding.severity == "error" or finding.code in ("TS002", "TS004")]
    if not errors and module:
        return ("crash" if module[0].code == "TS004" else "import fails"), _said(module[0])
    if errors and errors[0].pass_name is None and errors[0].code not in _OF_COMPILER:
        return "front end fails", _said(errors[0])
    if errors:
        return "compiler fails", (errors[0].pass_name or "code generation") + ": " + _said(errors[0])
    told = [finding for finding in kernel.findings if finding.severity == "info"]
    # With assumed arguments, what fails is told as information only.
    failing = [finding for finding in told if finding.pass_name is not None or finding.code in _OF_COMPILER]
    if failing:
        return "compiler fails", (failing[0].pass_name or "code generation") + ": " + _said(failing[0])
    if told:
        return "not in force", _said(told[0])
    return "other", f"{kernel.stage}, {kernel.status}"


def _said(finding: Finding) -> str:
    text = re.sub(r"0x[0-9a-f]+", "0x...", finding.message)
    return f"{finding.code} {text if len(text) <= 160 else text[:157] + '...'}"
