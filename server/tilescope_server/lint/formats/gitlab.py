"""A code quality report of GitLab, which it shows in merge requests."""

from __future__ import annotations

import json

from tilescope_server.lint.model import Listed, Report
from tilescope_trace.notebook_files import split_cell

from .context import Context
from .fingerprint import fingerprints
from .wording import marked

_SEVERITIES = {"error": "major", "warning": "minor", "info": "info"}


def render(report: Report, context: Context) -> str:  # noqa: ARG001
    issues = [_issue(fingerprint, one) for fingerprint, one in fingerprints(report)]
    return json.dumps(issues, indent=2, ensure_ascii=False) + "\n"


def _issue(fingerprint: str, listed: Listed) -> dict[str, object]:
    finding = listed.finding
    file, cell = split_cell(finding.file)
    return {
        "description": f"{finding.code}: {marked(listed)}"
        + (f" (line {finding.line} of cell {cell})" if cell else ""),
        "check_name": finding.code,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[finding.severity],
        "location": {
            "path": file,
            "positions": {
                "begin": {"line": finding.line, "column": finding.column},
                "end": {"line": finding.end_line, "column": finding.end_column},
            },
        },
    }
