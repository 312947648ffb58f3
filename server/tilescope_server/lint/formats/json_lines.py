"""A JSON object a line: each finding by itself."""

from __future__ import annotations

import json

from tilescope_server.lint.model import Report

from .context import Context
from .public import finding_of


def render(report: Report, context: Context) -> str:  # noqa: ARG001
    return "".join(json.dumps(finding_of(one), ensure_ascii=False) + "\n" for one in report.findings)
