"""What a rule is about, for `tilescope lint --explain`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from tilescope_trace.errors import UsageError
from tilescope_trace.model.public import document
from tilescope_trace.rules.catalog import RULES
from tilescope_trace.rules.docs import page
from tilescope_trace.rules.rule import Rule

RULES_SHAPE: dict[str, Any] = {"rules": list[Rule]}
"""Keys of the JSON."""


def explain(code: str, *, as_json: bool) -> str | dict[str, Any]:
    """The page of one rule or of those whose codes begin so; a list for ``ALL``. Raises UsageError."""
    rules = [rule for rule in RULES.values() if code == "ALL" or rule.code.startswith(code)]
    if not rules:
        raise UsageError(f"--explain {code}: no rule has this code; tilescope lint --explain ALL lists them")
    if as_json:
        return document("rules", {"rules": [asdict(rule) for rule in rules]})
    if len(rules) == 1:
        return page(rules[0])
    return "".join(f"{rule.code}  {rule.severity:<7}  {rule.name}: {rule.summary}\n" for rule in rules)
