"""Workflow commands of GitHub Actions, which it shows at the lines of a pull request."""

from __future__ import annotations

from tilescope_server.lint.model import Listed, Report
from tilescope_trace.notebook_files import split_cell

from .context import Context
from .wording import about, marked, plain

_LEVELS = {"error": "error", "warning": "warning", "info": "notice"}


def render(report: Report, context: Context) -> str:  # noqa: ARG001
    return "".join(f"{_command(one)}\n" for one in report.findings)


def _command(listed: Listed) -> str:
    finding = listed.finding
    file, cell = split_cell(finding.file)
    place = {"file": file}
    if cell is None:  # lines of a cell are none of the notebook's file
        place |= {"line": str(finding.line), "endLine": str(max(finding.end_line, finding.line))}
    if cell is None and finding.end_line == finding.line:
        # Columns are understood within one line only.
        place |= {"col": str(finding.column), "endColumn": str(max(finding.end_column, finding.column))}
    place["title"] = f"tilescope {finding.code}"
    properties = ",".join(f"{name}={_property(value)}" for name, value in place.items())
    lines = [
        marked(listed),
        *(f"{one.file}:{one.line}: {one.message}" for one in finding.related),
        *([f"help: {finding.help}"] if finding.help else []),
        *([f"in {about(listed)}"] if listed.variants else []),
    ]
    # The log shows the first line without its place: it is part of the message.
    text = f"{finding.file}:{finding.line}:{finding.column}: {finding.code}: " + "\n".join(lines)
    return f"::{_LEVELS[finding.severity]} {properties}::{_data(text)}"


def _data(text: str) -> str:
    """The escapes of a command's message (actions/toolkit, ``escapeData``)."""
    return plain(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """The escapes of a property (actions/toolkit, ``escapeProperty``)."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
