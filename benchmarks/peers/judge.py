"""What a tool said of a kernel, against what is known of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .cases import Case

Severity = Literal["error", "warning", "info"]
Verdict = Literal["exact", "related", "wrong line", "no line", "nothing"]
BEST_FIRST: tuple[Verdict, ...] = ("exact", "related", "wrong line", "no line", "nothing")


@dataclass(frozen=True)
class Said:
    """One thing that a tool reported. ``line`` is 1-based; None where it gave none. ``kind`` is the class of fault in
    the words of expected.json; ``"failure"`` is a compile that failed, whatever for, ``"unfinished"`` a tool that was
    ended since it took too long, and None something else."""

    line: int | None
    severity: Severity
    kind: str | None
    message: str


@dataclass(frozen=True)
class Judged:
    """``line`` is the line of what was counted as the finding of the fault. ``alarms`` are errors and warnings beside
    it, ``remarks`` what is information only. ``unfinished``: the tool had not ended in time."""

    verdict: Verdict
    line: int | None = None
    alarms: tuple[Said, ...] = ()
    remarks: tuple[Said, ...] = ()
    unfinished: bool = False


def judge(case: Case, said: Sequence[Said]) -> Judged:
    """Whatever is said about the fault counts as finding it, as severe as the tool thinks fit; the best line counts.
    A kernel that fails to compile has no other fault than the known one, so any failure is about it."""
    about = [one for one in said if case.line is not None and one.kind in (case.kind, "failure")]
    rest = [one for one in said if one not in about and one.kind != "unfinished"]
    best = min(about, key=lambda one: BEST_FIRST.index(verdict_of(case, one.line)), default=None)
    return Judged(
        verdict="nothing" if best is None else verdict_of(case, best.line),
        line=None if best is None else best.line,
        alarms=tuple(one for one in rest if one.severity != "info"),
        remarks=tuple(one for one in rest if one.severity == "info"),
        unfinished=any(one.kind == "unfinished" for one in said),
    )


def verdict_of(case: Case, line: int | None) -> Verdict:
    if line is None:
        return "no line"
    if line == case.line:
        return "exact"
    return "related" if line in case.also else "wrong line"
