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
"""Cases whose fault the compiler reports; the others lower without a word."""
SILENT = {"05", "07", "12", "23", "26", "27", "28", "29"}
"""Cases that lower without a word and whose fault is in their facts."""


def name_of(case: dict[str, Any]) -> str:
    return f"{case['file'][:-3]}-{case['target']}"


def mentions(message: str, word: str) -> bool:
    """Whether a whole word is in a message."""
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", message) is not None


@pytest.mark.parametrize("case", [c for c in CASES if c["file"][:2] in REPORTED], ids=name_of)
def test_reported_fault(analyse: Analyse, case: dict[str, Any]) -> None:
    path = KERNELS / "cases" / case["file"]
    result = analyse(path, path.read_text(), target=f"cuda:{case['target']}", **case["args"])
    (finding,) = result.findings
    assert finding.code == CODES[case["kind"]]
    assert finding.severity == case["severity"]
    assert (finding.line, finding.confidence) == (case["line"], "exact")
    missing = [
        word for word in case["must_mention"] if not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", finding.message)
    ]
    assert missing == [], finding.message
    assert finding.compiler
    if finding.severity == "error":
        assert result.kernel.status == "partial"


@pytest.mark.parametrize("case", [c for c in CASES if c["file"][:2] in SILENT], ids=name_of)
def test_silent_fault(analyse: Analyse, case: dict[str, Any]) -> None:
    path = KERNELS / "cases" / case["file"]
    result = analyse(path, path.read_text(), target=f"cuda:{case['target']}", **case["args"])
    (finding,) = [found for found in result.findings if found.severity != "info"]
    assert (finding.code, finding.severity) == (CODES[case["kind"]], case["severity"])
    assert (finding.line, finding.confidence) == (case["line"], "exact")
    assert [word for word in case["must_mention"] if not mentions(finding.message, word)] == [], finding.message
    assert result.kernel.status == "ok"


def test_a_good_kernel_has_no_findings(analyse: Analyse) -> None:
    path = KERNELS / "cases" / "00_good_gemm.py"
    result = analyse(path, path.read_text())
    assert result.findings == []
    assert result.kernel.status == "ok"
