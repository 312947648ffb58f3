"""A comment for a pull request: findings as a table, and where kernels lower."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tilescope_server.lint.matrix import markdown as matrix_table
from tilescope_server.lint.model import Listed, Report

from .context import Context
from .wording import about, marked, one_line, plain, summary


def render(report: Report, context: Context) -> str:
    parts = ["### tilescope", f"{_escaped(summary(report))}.", *_findings(report)]
    if context.matrix and report.cells:
        parts.append(matrix_table(report.cells).rstrip())
    return "\n\n".join(parts) + "\n"


def _findings(report: Report) -> Iterator[str]:
    if report.findings:
        rows = ["| | code | place | finding |", "|---|---|---|---|", *map(_row, report.findings)]
        yield "\n".join(rows)


def _row(listed: Listed) -> str:
    finding = listed.finding
    place = f"{_code(f'{finding.file}:{finding.line}:{finding.column}')}"
    text = _escaped(marked(listed))
    text += f"<br>{_escaped(finding.help)}" if finding.help else ""
    text += f"<br><sub>{_escaped(about(listed))}</sub>" if listed.variants else ""
    return f"| {finding.severity} | {finding.code} | {place} | {text} |"


def _escaped(text: str) -> str:
    """Text that Markdown shows as it is, on one line of a table."""
    return re.sub(r"([\\`*_{}\[\]<>#|~@])", r"\\\1", one_line(plain(text)))


def _code(text: str) -> str:
    return "`" + one_line(plain(text)).replace("`", "'").replace("|", "\\|") + "`"
