"""What a rule is: one kind of fault, with its wording for people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tilescope_worker.wire.facts import Severity


@dataclass(frozen=True)
class Rule:
    """``name`` is the kind of fault in kebab case, ``summary`` one line without a full stop, ``doc`` Markdown
    paragraphs on what it is, ``example`` Python source that shows the fault (empty where no source causes it).

    ``why`` says why it hurts, with the numbers of the example; ``fix`` what to do; ``ignore`` when to leave it be.
    They are Markdown paragraphs too, and sections of the rule's page where they are not empty. ``tag`` says how an
    editor may draw what is found: as needless text, or as something not to be used any more."""

    code: str
    name: str
    severity: Severity
    summary: str
    doc: str
    example: str = ""
    why: str = ""
    fix: str = ""
    ignore: str = ""
    tag: Literal["unnecessary", "deprecated"] | None = None
