"""A line a finding, in the form that editors and terminals make clickable."""

from __future__ import annotations

from tilescope_server.lint.model import Listed, Report

from .context import Context
from .style import Style
from .wording import assumed, one_line, plain


def render(report: Report, context: Context) -> str:
    style = Style(context.colour)
    return "".join(f"{headline(one, style)}\n" for one in report.findings)


def headline(listed: Listed, style: Style, *, mark_assumed: bool = True) -> str:
    """``file:line:column: severity CODE: message``."""
    finding = listed.finding
    note = assumed(listed) if mark_assumed else ""
    return (
        f"{style.bold(plain(finding.file))}:{finding.line}:{finding.column}: "
        f"{style.severity(finding.severity, finding.severity)} {style.bold(finding.code)}: "
        f"{one_line(plain(finding.message))}" + (f" [{note}]" if note else "")
    )
