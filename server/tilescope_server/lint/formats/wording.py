"""What several forms say of a finding, in the same words."""

from __future__ import annotations

import unicodedata
from collections import Counter

from tilescope_server.lint.model import Listed, Report

MOST_VARIANTS = 3


def plain(text: str) -> str:
    """Text that a terminal shows and does not obey: control characters as escapes, tabs and line ends left."""
    if text.isprintable():
        return text
    return "".join(
        character
        if character in "\t\n" or unicodedata.category(character) not in ("Cc", "Cf", "Cs")
        else _escape(character)
        for character in text
    )


def _escape(character: str) -> str:
    return character.encode("unicode_escape").decode()


def one_line(text: str) -> str:
    """The text without line ends."""
    return " ".join(text.split())


def about(listed: Listed) -> str:
    """What a finding holds for: ``matmul.main for cuda:sm_90a, cuda:sm_80``; empty for one about the file."""
    if not listed.variants:
        return ""
    kernels = list(dict.fromkeys(one.kernel for one in listed.variants))
    names = ", ".join(kernels[:MOST_VARIANTS]) + (" ..." if len(kernels) > MOST_VARIANTS else "")
    text = f"{names} for {', '.join(listed.targets)}"
    count = len({one.specialization for one in listed.variants})
    return text + (f", {count} specializations" if count > 1 else "")


def assumed(listed: Listed) -> str:
    """The warning that a finding rests on assumed arguments; empty where it does not."""
    return f"with assumed {listed.assumed}" if listed.assumed else ""


def marked(listed: Listed) -> str:
    """The message with what it rests on, for forms that have room for nothing else."""
    note = assumed(listed)
    return listed.finding.message + (f" [{note}]" if note else "")


def counted(number: int, noun: str) -> str:
    """``1 file``, ``2 files``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def summary(report: Report) -> str:
    """One line: what was found, in how much, and what was not looked at."""
    by_severity = Counter(one.finding.severity for one in report.findings)
    parts = [counted(by_severity[one], one) for one in ("error", "warning") if by_severity[one]]
    parts += [f"{by_severity['info']} info"] if by_severity["info"] else []
    kernels = {(cell.file, cell.kernel, cell.line) for cell in report.cells}
    found = counted(len(report.findings), "finding") + f" ({', '.join(parts)})" if parts else "nothing found"
    text = f"{found} in {counted(len(report.files), 'file')}, {counted(len(kernels), 'kernel')}"
    hidden = [
        f"{number} {what}"
        for number, what in ((report.suppressed, "suppressed"), (report.baselined, "in the baseline"))
        if number
    ]
    left = sum(cell.status in ("failed", "unresolved") for cell in report.cells)
    static = sum(cell.stage == "static" and cell.status == "partial" for cell in report.cells)
    hidden += [f"{left} of {len(report.cells)} compiles failed or not possible"] if left else []
    assumed_in = len({(cell.file, cell.kernel, cell.line) for cell in report.cells if cell.assumed})
    if assumed_in:
        hidden.append(
            f"{counted(assumed_in, 'kernel')} compiled with assumed arguments, where what rests on them is"
            " info at most: give values by a directive (# tilescope: M=...) or the configuration"
        )
    hidden += [f"{static} of {len(report.cells)} not compiled"] if static else []
    return text + "".join(f"; {one}" for one in hidden)
