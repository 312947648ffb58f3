"""Every rule that reads facts finds its fault in kernels that have it, and nothing in kernels that have not."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

from tilescope_trace.model import Finding
from tilescope_trace.rules.catalog import RULES
from tilescope_trace.rules.checks import CHECKS
from tilescope_trace.rules.fixes import applied
from tilescope_worker.registers import find

from .examples import ASSEMBLED, FOLDER, Example, analysed, lacking

BY_NAME = {rule.name.replace("-", "_"): rule for rule in RULES.values()}
WRITTEN = {path.stem.rpartition("_")[0] for path in FOLDER.glob("*_*.py")}
EXAMPLES = sorted(WRITTEN if find() else WRITTEN - ASSEMBLED)


@functools.cache
def example(path: Path) -> Example:
    return analysed(path)


def told(example: Example, own: str, kernel: str | None = None) -> list[Finding]:
    """Findings of the rule ``own``, and errors and warnings of others."""
    relevant = [f for f in example.findings if f.code == own or f.severity != "info"]
    return [f for f in relevant if kernel in (None, f.kernel)]


@pytest.mark.parametrize("name", EXAMPLES)
def test_faults_are_found_where_they_are(name: str) -> None:
    bad = example(FOLDER / f"{name}_bad.py")
    found = told(bad, BY_NAME[name].code)
    wanted = {(one.code, one.line, one.column, one.end_column): one for one in bad.expected}
    assert wanted
    assert sorted(map(bad.place, found)) == sorted(wanted), [(f.line, f.message) for f in found]
    for finding in found:
        one = wanted[bad.place(finding)]
        assert lacking(finding.message, one.words) == [], finding.message
        assert one.severity in (None, finding.severity)


@pytest.mark.parametrize("name", EXAMPLES)
def test_right_kernels_are_left_alone(name: str) -> None:
    good = example(FOLDER / f"{name}_good.py")
    assert [(f.code, f.line, f.message) for f in told(good, BY_NAME[name].code)] == []
    assert {kernel.status for kernel in good.kernels} == {"ok"}


@pytest.mark.parametrize("name", EXAMPLES)
def test_fixes_take_the_fault_away(name: str) -> None:
    path, own = FOLDER / f"{name}_bad.py", BY_NAME[name].code
    bad = example(path)
    for finding in bad.findings:
        for fix in finding.fixes if finding.code == own else ():
            text = applied(bad.text, fix.edits)
            after = analysed(path, text, finding.kernel)
            assert len(told(after, own, finding.kernel)) < len(told(bad, own, finding.kernel)), (fix.title, text)
            assert {kernel.status for kernel in after.kernels} == {"ok"}, fix.title


def test_every_rule_that_reads_facts_has_examples() -> None:
    assert {rule.name.replace("-", "_") for rule, _ in CHECKS} <= WRITTEN
