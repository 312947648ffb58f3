"""Faulty kernels with their findings written under the lines: ``KERNEL[@TARGET] CODE WORDS``, the words being in the
message."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.carets import Expectation, expectations, without_expectations

from tilescope_worker.locate.search import LOWERINGS

from .conftest import KERNELS, Analyse, Analysed

SIZES = {"eager_gemm": {"M": "256", "N": "256", "K": "256"}}
"""Sizes of kernels that have no defaults for them."""


@dataclass(frozen=True)
class Faulty:
    """One kernel of a file, for one target, with the findings that it is to have."""

    path: Path
    kernel: str
    target: str
    expected: tuple[tuple[Expectation, str, tuple[str, ...]], ...]


def faulty_kernels() -> list[Faulty]:
    found = []
    for path in sorted((KERNELS / "faults").glob("*.py")):
        expected = defaultdict(list)
        for expectation in expectations(path.read_text()):
            kernel, code, *words = expectation.text.split()
            name, _, target = kernel.partition("@")
            expected[name, target or "sm_90a"].append((expectation, code, tuple(words)))
        found += [Faulty(path, name, f"cuda:{t}", tuple(wanted)) for (name, t), wanted in expected.items()]
    return found


def analysed(analyse: Analyse, path: Path, kernel: str, target: str = "cuda:sm_90a") -> Analysed:
    text = without_expectations(path.read_text())
    (function,) = [node for node in ast.parse(text).body if getattr(node, "name", "") == kernel]
    nested = any(isinstance(node, ast.FunctionDef) for node in function.body)  # type: ignore[attr-defined]
    return analyse(path, text, kernel=f"{kernel}.main" if nested else kernel, target=target, **SIZES.get(kernel, {}))


@pytest.mark.parametrize("faulty", faulty_kernels(), ids=lambda faulty: f"{faulty.kernel}-{faulty.target}")
def test_faults_are_found_where_they_are(analyse: Analyse, faulty: Faulty) -> None:
    result = analysed(analyse, faulty.path, faulty.kernel, faulty.target)
    lines = result.text.split("\n")
    places = [
        # Of a call over several lines the carets show the first.
        (f.code, f.line, f.column, f.end_column if f.end_line == f.line else len(lines[f.line - 1]) + 1)
        for f in result.findings
    ]
    assert sorted(places) == sorted((code, e.line, e.column, e.end_column) for e, code, _ in faulty.expected)
    messages = {finding.line: finding.message for finding in result.findings}
    for expectation, _, words in faulty.expected:
        message = messages[expectation.line]
        missing = [word for word in words if not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", message)]
        assert missing == [], message
    # What the compiler stopped at keeps its text; rules may tell of the same kernel what it does not say.
    assert all(finding.compiler for finding in result.findings if finding.code.startswith("TS1"))
    places_named = {place.file for finding in result.findings for place in finding.related}
    places_named |= {frame.file for failure in result.failures for frame in failure.frames}
    assert places_named <= {str(faulty.path)}, "files of the compiler are none of the user's"
    again = [failure for failure in result.failures if failure.phase == "lower" and failure.severity == "error"]
    assert len(again) <= 1 + LOWERINGS
