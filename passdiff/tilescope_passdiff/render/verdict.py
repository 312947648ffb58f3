"""Verdicts on launches in words: the bound and why, rates against peaks, what the lowering says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from tilescope_trace.profile.verdict.peaks import Achieved
from tilescope_trace.profile.verdict.verdict import Verdict

from .terminal.controls import visible


@dataclass(frozen=True)
class Judged:
    """The verdict on the launches that were joined with ``recording``."""

    recording: str
    verdict: Verdict


def verdict_text(name: str, verdict: Verdict) -> Iterator[RenderableType]:
    """A headline, then a line for each reason, rate and remark, indented also where a terminal folds it."""
    yield Text(f"{visible(name)}: {headline(verdict)}", "bold")
    yield from (Padding(Text(visible(line)), (0, 0, 0, 2)) for line in lines(verdict))
    yield Text()


def headline(verdict: Verdict) -> str:
    """``bound by compute``, or why that is not known."""
    if verdict.bound != "unknown":
        return f"bound by {verdict.bound}"
    if len(verdict.possible) == 2:
        return f"bound by {' or '.join(verdict.possible)}"
    return "what bounds it is not known"


def lines(verdict: Verdict) -> Iterator[str]:
    """Everything behind the headline, one sentence a line."""
    yield from verdict.evidence
    yield from (rate_text(rate) for rate in verdict.achieved)
    for remark in verdict.remarks:
        yield remark.text if remark.line is None else f"line {remark.line}: {remark.text}"
    yield from (f"to know more: {missing}" for missing in verdict.missing)


def rate_text(rate: Achieved) -> str:
    """``matrix products on float16: 657 TFLOP/s, 66 % of 989 (H200 SXM: NVIDIA H200 datasheet)``."""
    words = f"{rate.what}: {rate.value:,.0f} {rate.unit}"
    if rate.share is None:
        return f"{words}; no document that we know states this device's peak"
    return f"{words}, {rate.share:.0%} of {rate.peak:,.0f} ({rate.device}: {rate.document})"
