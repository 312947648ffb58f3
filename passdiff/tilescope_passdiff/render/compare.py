"""Two recordings side by side: JSON and text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from rich.text import Text

from tilescope_passdiff.compare import Comparison, Divergence, EnvironmentDifference, Outcome, PassPair, TextDiff
from tilescope_passdiff.wording.differences import told_values
from tilescope_trace.differences import Difference
from tilescope_trace.model import Json, PassRecord
from tilescope_trace.model.public import document, to_public
from tilescope_trace.passes import explained
from tilescope_trace.profile.versus.gather import Versus

from .json import PassName
from .terminal.controls import visible
from .terminal.diff import append_line
from .unified import hunk_line


@dataclass(frozen=True)
class PairEntry:
    """A pass of each recording, or of one only."""

    a: PassName | None
    b: PassName | None
    outcome: Outcome
    duration_ms: tuple[float | None, float | None]


@dataclass(frozen=True)
class DivergenceEntry:
    """The first pass behind which the two are not the same; ``purpose`` is what the pass is for."""

    a: PassName | None
    b: PassName | None
    where: Literal["input", "output", "only-a", "only-b"]
    purpose: str | None
    diff: TextDiff


COMPARE: dict[str, Any] = {
    "same": bool,
    "environment": tuple[EnvironmentDifference, ...],
    "passes": tuple[PairEntry, ...],
    "first_divergence": DivergenceEntry | None,
    "first_structural": DivergenceEntry | None,
    "buffers": tuple[Difference, ...],
    "facts": tuple[Difference, ...],
    "generated": TextDiff | None,
    "profiles": Versus | None,
}
"""Keys and types of the document, for the published schema."""

_WHERE = {
    "input": "what goes in differs already",
    "output": "the same went in, and differs behind it",
    "only-a": "only A runs this pass",
    "only-b": "only B runs this pass",
}
_WHERE_BEYOND = {"output": "what went in differs in constants only, and what came out in more"}
_OUTCOMES: dict[Outcome, str] = {
    "same": "give the same",
    "constants": "differ in constants only",
    "follows": "do the same to what differs already",
    "differs": "differ",
}


def compare_json(comparison: Comparison, profiles: Versus | None = None) -> dict[str, Any]:
    """The document ``compare``; ``profiles`` where both sides have some."""
    first, structural = comparison.first_divergence, comparison.first_structural
    return document(
        "compare",
        {
            "same": comparison.same,
            "environment": to_public(comparison.environment),
            "passes": [to_public(_entry(pair)) for pair in comparison.passes],
            "first_divergence": None if first is None else to_public(_divergence(first)),
            "first_structural": None if structural is None else to_public(_divergence(structural)),
            "buffers": to_public(comparison.buffers),
            "facts": to_public(comparison.facts),
            "generated": to_public(comparison.generated),
            "profiles": to_public(profiles),
        },
    )


def compare_text(comparison: Comparison, *, most: int = 40) -> Text:
    """What differs, the environment first; of each diff the first ``most`` lines, 0 for all."""
    text = Text(overflow="fold")
    text.append("the compiler makes the same of both" if comparison.same else "they differ", "bold")
    _section(
        text, "recorded with", (f"{one.name}: {_value(one.a)} | {_value(one.b)}" for one in comparison.environment)
    )
    _section(text, "passes", _passes(comparison.passes))
    first, structural = comparison.first_divergence, comparison.first_structural
    if first is not None:
        constants = ", in constants only" if first.diff.constants else ""
        _append_divergence(text, "first divergence", first, _WHERE[first.where] + constants, most)
        if structural is not None and first.diff.constants:
            where = _WHERE_BEYOND.get(structural.where, _WHERE[structural.where])
            _append_divergence(text, "first divergence beyond constants", structural, where, most)
    _section(text, "buffers", map(_difference, comparison.buffers))
    _section(text, "other facts", map(_difference, comparison.facts))
    generated = comparison.generated
    if generated is not None and (generated.insertions or generated.deletions):
        constants = ", constants only" if generated.constants else ""
        text.append(f"\n\ngenerated source: +{generated.insertions} -{generated.deletions} lines{constants}", "bold")
        _append_diff(text, generated, most)
    return text


def _append_divergence(text: Text, title: str, found: Divergence, where: str, most: int) -> None:
    record = found.a or found.b
    assert record is not None
    text.append(visible(f"\n\n{title}: pass {_both(found.a, found.b)}"), "bold")
    text.append(f": {where}")
    if (info := explained(record.name)) is not None and found.where != "input":
        text.append(f"\n  {info.purpose}", "dim")
    _append_diff(text, found.diff, most)


def _entry(pair: PassPair) -> PairEntry:
    durations = (None if pair.a is None else pair.a.duration_ms, None if pair.b is None else pair.b.duration_ms)
    return PairEntry(_name(pair.a), _name(pair.b), pair.outcome, durations)


def _divergence(found: Divergence) -> DivergenceEntry:
    record = found.a or found.b
    info = explained(record.name) if record is not None else None
    return DivergenceEntry(
        _name(found.a), _name(found.b), found.where, info.purpose if info is not None else None, found.diff
    )


def _name(record: PassRecord | None) -> PassName | None:
    return None if record is None else PassName(record.index, record.name)


def _both(a: PassRecord | None, b: PassRecord | None) -> str:
    told = [f"{record.index} {record.label}" for record in (a, b) if record is not None]
    return told[0] if len(set(told)) == 1 else " | ".join(told)


def _passes(pairs: tuple[PassPair, ...]) -> Iterator[str]:
    """How many pairs there are of each outcome, and the passes of one side that changed something."""
    counted = Counter(pair.outcome for pair in pairs)
    if counted.keys() != {"same"}:
        told = [f"{counted[outcome]} {words}" for outcome, words in _OUTCOMES.items() if counted[outcome]]
        yield ", ".join(told) or "none gives the same"
    for side in ("a", "b"):
        alone = [record for pair in pairs if pair.outcome == f"only-{side}" and (record := getattr(pair, side))]
        if alone:
            names = ", ".join(f"{record.label}{'' if record.changed else ' (no effect)'}" for record in alone)
            yield f"only in {side.upper()}: {names}"


def _section(text: Text, title: str, rows: Iterator[str]) -> None:
    told = list(rows)
    if told:
        text.append(f"\n\n{title}", "bold")
        text.append("".join(f"\n  {visible(row)}" for row in told))


def _difference(one: Difference) -> str:
    place = f" (line {one.line})" if one.line is not None else ""
    return f"{one.subject}{place} {one.fact.replace('_', ' ')}: {' | '.join(map(_value, told_values(one)))}"


def _value(value: Json) -> str:
    if value is None:
        return "–"
    return "[" + ", ".join(map(_value, value)) + "]" if isinstance(value, list) else str(value)


def _append_diff(text: Text, diff: TextDiff, most: int) -> None:
    shown = 0
    total = sum(len(hunk.lines) for hunk in diff.hunks)
    for hunk in diff.hunks:
        if most and shown >= most:
            break
        text.append(f"\n{hunk_line(hunk)}", "cyan")
        for line in hunk.lines[: most - shown] if most else hunk.lines:
            append_line(text, line)
            shown += 1
    if shown < total:
        text.append(f"\n… {total - shown} more lines; --lines 0 shows all", "dim")
