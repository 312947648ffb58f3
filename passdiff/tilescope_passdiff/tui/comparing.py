"""Two recordings as a list of entries, each with a text that shows what differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tilescope_passdiff.compare import Comparison, Outcome, PassPair
from tilescope_passdiff.compare.texts import key, shape
from tilescope_passdiff.normalise import with_launch_names
from tilescope_passdiff.wording.differences import told_values
from tilescope_trace.differences import Difference
from tilescope_trace.errors import UsageError
from tilescope_trace.model import Json, PassRecord
from tilescope_trace.passes import explained
from tilescope_trace.store.read import Recording

from .document import Document, Notice, Row
from .loading import compared
from .paint import clean, lines_of
from .syntax import Language

_SAID = {"constants": "constants only", "follows": "the pass did the same"}


@dataclass(frozen=True)
class CompareEntry:
    """``outcome`` says whether there is something to see; ``first`` marks the first divergence, and the first one
    beyond constants. ``document`` makes the text, in a background thread."""

    label: str
    outcome: Outcome
    document: Callable[[], Document]
    first: bool = False

    @property
    def telling(self) -> bool:
        """Whether it differs by itself: not just in constants, nor because what went in does."""
        return self.first or self.outcome not in ("same", "constants", "follows")


@dataclass(frozen=True)
class CompareHeading:
    """A line over entries."""

    title: str


CompareRow = CompareHeading | CompareEntry


def compare_rows(a: Recording, b: Recording, comparison: Comparison) -> tuple[CompareRow, ...]:
    """The list, what they were recorded with first."""
    return tuple(_rows(a, b, comparison))


def _rows(a: Recording, b: Recording, comparison: Comparison) -> Iterator[CompareRow]:
    told = [(one.name, one.a, one.b) for one in comparison.environment]
    yield CompareHeading("recorded with")
    yield _values("versions, target, arguments, sources", told)
    yield CompareHeading(_passes(comparison))
    firsts = [(one.a, one.b) for one in (comparison.first_divergence, comparison.first_structural) if one is not None]
    for pair in comparison.passes:
        yield CompareEntry(_label(pair), pair.outcome, _pass_maker(a, b, pair), (pair.a, pair.b) in firsts)
    yield CompareHeading("layouts and facts")
    yield from _differences("buffers", comparison.buffers)
    yield from _differences("other facts", comparison.facts)
    yield CompareHeading("generated source")
    generated = comparison.generated
    outcome: Outcome = "same"
    if generated is not None and (generated.insertions or generated.deletions):
        outcome = "constants" if generated.constants else "differs"
    yield CompareEntry("generated source", outcome, lambda: _generated(a, b, outcome))


def _passes(comparison: Comparison) -> str:
    """The heading over the passes: how many do other things, and how many differ in constants only."""
    counted = Counter(pair.outcome for pair in comparison.passes)
    words: dict[Outcome, str] = {"differs": "≠", "constants": "≈ constants only"}
    told = ", ".join(f"{counted[one]} {said}" for one, said in words.items() if counted[one])
    return f"passes: {told}" if told else "passes"


def _values(label: str, told: list[tuple[str, Json, Json]]) -> CompareEntry:
    def make() -> Document:
        rows: list[Row] = []
        for at, (name, old, new) in enumerate(told, 1):
            if old is not None:
                rows.append(Row("-", at, None, clean(f"{name}: {_value(old)}"), mate=at))
            if new is not None:
                rows.append(Row("+", None, at, clean(f"{name}: {_value(new)}"), mate=at))
        notice = None if rows else Notice("No difference.")
        return Document(label, tuple(rows), notice=notice)

    return CompareEntry(label, "differs" if told else "same", make)


def _differences(label: str, found: tuple[Difference, ...]) -> Iterator[CompareEntry]:
    if not found:
        yield _values(label, [])
    for subject in dict.fromkeys(one.subject or "kernel" for one in found):
        told = [
            (one.fact.replace("_", " "), *told_values(one)[:2])
            for one in found
            if (one.subject or "kernel") == subject
        ]
        yield _values(subject, told)


def _label(pair: PassPair) -> str:
    told = [f"{record.index} {clean(record.label)}" for record in (pair.a, pair.b) if record is not None]
    return told[0] if len(set(told)) == 1 else " | ".join(told)


def _pass_maker(a: Recording, b: Recording, pair: PassPair) -> Callable[[], Document]:
    def make() -> Document:
        title = _label(pair)
        try:
            if pair.a is None or pair.b is None:
                recording, record = (a, pair.a) if pair.a is not None else (b, pair.b)
                assert record is not None
                side = "A" if pair.a is not None else "B"
                rows = compared(_text(recording, record.before), _text(recording, record.after or record.before), key)
                return Document(f"{title} · only {side} runs it", rows, notice=_purpose(record))
            old, new = _text(a, pair.a.after or pair.a.before), _text(b, pair.b.after or pair.b.before)
        except UsageError as error:
            return Document(title, notice=Notice(str(error), error=True), whole=True)
        errors = [f"{side}: {record.error}" for side, record in (("A", pair.a), ("B", pair.b)) if record.error]
        notice = Notice(clean(" ⏎ ".join(errors).replace("\n", " ⏎ ")), error=True) if errors else _purpose(pair.a)
        title = " · ".join([f"{title} · A − against B +", *filter(None, [_SAID.get(pair.outcome)])])
        rows = compared(old, new, key)
        return Document(title, rows, notice=notice, start=_beyond_constants(rows))

    return make


def _beyond_constants(rows: Sequence[Row]) -> int | None:
    """The first row that one side has not, whatever the constants."""
    gone, come = (Counter(shape(row.text) for row in rows if row.sign == sign) for sign in "-+")
    alone = {"-": gone - come, "+": come - gone}
    return next((at for at, row in enumerate(rows) if row.sign != " " and alone[row.sign][shape(row.text)]), None)


def _purpose(record: PassRecord) -> Notice | None:
    known = explained(record.name)
    return Notice(known.purpose) if known is not None else None


def _text(recording: Recording, name: str) -> list[str]:
    return lines_of(with_launch_names(recording.text(name)))


def _generated(a: Recording, b: Recording, outcome: Outcome) -> Document:
    title = " · ".join(["generated source · A − against B +", *filter(None, [_SAID.get(outcome)])])
    try:
        old, new = a.generated(), b.generated()
    except UsageError as error:
        return Document(title, notice=Notice(str(error), error=True), whole=True)
    language: Language = "c"
    notice = Notice("Neither holds any.") if old is None and new is None else None
    return Document(title, compared(lines_of(old or ""), lines_of(new or "")), language, notice=notice)


def _value(value: Json) -> str:
    return "[" + ", ".join(map(_value, value)) + "]" if isinstance(value, list) else str(value)
