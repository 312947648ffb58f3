"""Messages between the browser's widgets and from its background work."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from tilescope_trace.store.read import Recording

from .document import Document
from .life import Touches
from .loading import Telling
from .sources import Generated, Source
from .state import Counts


@dataclass
class DocumentReady(Message):
    """The text of a pass was read and compared."""

    position: int
    document: Document


@dataclass
class TellingReady(Message):
    """What the pass at ``position`` did, in a line, and the layouts that it attached."""

    position: int
    telling: Telling


@dataclass
class CountsReady(Message):
    """Changed lines of some more passes, by position."""

    counts: dict[int, Counts]


@dataclass
class SourcesReady(Message):
    """The Python sources of the recording and its generated source were read."""

    sources: tuple[Source, ...]
    generated: Generated


@dataclass
class Recorded(Message):
    """The kernel was recorded again, or its recording read again."""

    recording: Recording


@dataclass
class Touched(Message):
    """What some more passes changed, by position; ``done`` with the last of them."""

    touches: dict[int, Touches]
    done: bool = False


@dataclass
class PassChosen(Message):
    """The person went to the pass at ``position``."""

    position: int

    def can_replace(self, message: Message) -> bool:
        """Of passes gone by quickly only the last is to be shown."""
        return isinstance(message, PassChosen)


@dataclass
class CursorMoved(Message):
    """The cursor of a pane went to line ``index``, moved by the person."""

    pane: str
    index: int

    def can_replace(self, message: Message) -> bool:
        """A cursor that moved on makes the earlier place uninteresting."""
        return isinstance(message, CursorMoved) and message.pane == self.pane


@dataclass
class Scrolled(Message):
    """Other lines of the text pane came into view."""

    def can_replace(self, message: Message) -> bool:
        """Only the last position matters."""
        return isinstance(message, Scrolled)


@dataclass
class Searched(Message):
    """The search in the text pane has other matches, or is at another of them."""

    def can_replace(self, message: Message) -> bool:
        """Only the last state matters."""
        return isinstance(message, Searched)


@dataclass
class Activated(Message):
    """Enter or a second click on line ``index`` of a pane."""

    pane: str
    index: int
