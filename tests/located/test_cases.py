"""Kernels with known faults: each that the compiler reports is one finding, at its line, in kernel terms."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tilescope_trace.rules.catalog import RULES

from .conftest import KERNELS, Analyse

CASES: list[dict[str, Any]] = json.loads((KERNELS / "cases" / "expected.json").read_text())
CODES = {rule.name: code for code, rule in RULES.items()}
"""The code of each kind of fault: kinds are the names of rules."""
REPORTED = {"01", "02", "03", "08", "09", "11", "14", "15", "16", "21", "30"}
"""Cases whose fault the compiler reports; the others lower without a word, and the fault is in their facts."""


def name_of(case: dict[str, Any]) -> str:
    return f"{case['file'][:-3]}-{case['target']}"


def mentions(message: str, word: str) -> bool:
    """Whether a whole word is in a message."""
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", message) is not None


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_case(analyse: Analyse, case: dict[str, Any]) -> None:
    path = KERNELS / "cases" / case["file"]
    result = analyse(path, path.read_text(), target=f"cuda:{case['target']}", **case["args"])
    told = [finding for finding in result.findings if finding.severity != "info"]
    if case["kind"] is None:
        assert result.findings == []
        assert result.kernel.status == "ok"
        return
    (finding,) = told
    assert (finding.code, finding.severity) == (CODES[case["kind"]], case["severity"])
    assert (finding.line, finding.confidence) == (case["line"], "exact")
    assert [word for word in case["must_mention"] if not mentions(finding.message, word)] == [], finding.message
    reported = case["file"][:2] in REPORTED
    assert not reported or finding.compiler
    assert result.kernel.status == ("partial" if reported and finding.severity == "error" else "ok")
