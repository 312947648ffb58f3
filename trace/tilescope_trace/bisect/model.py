"""What is asked and what is found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from tilescope_trace.model import Json, PassRecord
from tilescope_trace.store.read import Recording


@dataclass(frozen=True)
class MatchedLine:
    """A line (1-based) of an IR text that matches."""

    line: int
    text: str


@dataclass(frozen=True)
class Moment:
    """What holds of one IR text: whether it is what was asked for, the ``value`` of the fact (number of matches of a
    text; None where not known), and the first lines that match."""

    holds: bool
    value: Json
    lines: tuple[MatchedLine, ...] = ()


class Query(Protocol):
    """A question to one IR text of a recording."""

    @property
    def words(self) -> str:
        """What is asked for: ``the text 'tma_load'``."""

    def of(self, recording: Recording, text: str) -> Moment:
        """What holds of the text with the hash ``text``."""


@dataclass(frozen=True)
class Bisected:
    """``record`` is the first pass across which the answer changed as asked, with the answers on both sides.
    ``others`` are the later passes across which it changed at all."""

    record: PassRecord
    change: Literal["introduced", "removed"]
    before: Moment
    after: Moment
    others: tuple[PassRecord, ...] = ()
