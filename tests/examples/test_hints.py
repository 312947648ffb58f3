"""Every kernel of the gallery, on every target it is for: the hints under the code they stand at, and no finding that
nobody expects.

``TILESCOPE_UPDATE=1 pytest tests/examples`` writes what there is now: read the difference before it is committed.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.located.conftest import Analysed, analyse_text

from tilescope_server.analysis import Analysis
from tilescope_server.hints import Hint, hints_of
from tilescope_server.sites import sites_of
from tilescope_trace.model import Snapshot

EXAMPLES = Path(__file__).parents[2] / "examples"
EXPECTED = Path(__file__).parent / "expected"
TARGETS = {"gpu": ("cuda:sm_90a", "cuda:sm_80", "hip:gfx942"), "ascend": ("ascend",)}
NOT_LOWERED = {("attention", "cuda:sm_80")}
"""A pipelined copy in a loop that ends at a block index: TileLang 0.1.15 fails."""
CASES = [
    pytest.param(path, target, id=f"{path.stem}-{target}")
    for folder, targets in TARGETS.items()
    for path in sorted((EXAMPLES / folder).glob("*.py"))
    for target in targets
    if (path.stem, target) not in NOT_LOWERED
]


def underlined(text: str, hints: Sequence[Hint]) -> list[str]:
    """The lines that have hints, each with its number, and below it the hints under carets at their places."""
    lines = text.split("\n")
    shown: list[str] = []
    for number in sorted({hint.line for hint in hints}):
        shown.append(f"{number:3} {lines[number - 1].rstrip()}")
        shown += [f"    {'^':>{hint.column}} {hint.label.text}" for hint in hints if hint.line == number]
    return shown


def told(path: Path, target: str) -> str:
    """What an editor shows of the file for the target."""
    text = path.read_text(encoding="utf-8")
    analysed: Analysed = analyse_text(path, text, target=target)
    sites = sites_of(Analysis(Snapshot(str(path), text), analysed.gathered.facts(complete=True)))
    findings = sorted(f"{one.line} {one.severity} {one.code} {one.message}" for one in analysed.findings)
    return "\n".join([*underlined(text, hints_of(sites, text.split("\n"))), *findings, ""])


@pytest.mark.parametrize(("path", "target"), CASES)
def test_hints_are_those_expected(path: Path, target: str) -> None:
    expected = EXPECTED / f"{path.stem}.{target.replace(':', '-')}.txt"
    shown = told(path, target)
    if os.environ.get("TILESCOPE_UPDATE"):
        expected.write_text(shown, encoding="utf-8")
    assert shown == expected.read_text(encoding="utf-8")
