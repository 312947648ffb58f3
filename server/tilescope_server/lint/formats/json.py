"""One JSON document: ``tilescope schema lint``."""

from __future__ import annotations

import json
from typing import Any

from tilescope_server.lint.model import Report

from .context import Context
from .public import lint_document


def render(report: Report, context: Context) -> str:
    return dumped(lint_document(report, context))


def dumped(value: dict[str, Any]) -> str:
    """A document as all commands write it."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
