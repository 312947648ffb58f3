"""What a rule is: one kind of fault, with its wording for people."""

from __future__ import annotations

from dataclasses import dataclass

from tilescope_worker.wire.facts import Severity


@dataclass(frozen=True)
class Rule:
    """``name`` is the kind of fault in kebab case, ``summary`` one line without a full stop, ``doc`` Markdown
    paragraphs, ``example`` Python source that shows the fault (empty where no source causes it)."""

    code: str
    name: str
    severity: Severity
    summary: str
    doc: str
    example: str = ""
