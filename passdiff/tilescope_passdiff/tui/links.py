"""From rows of IR to lines of Python and of generated source, and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tilescope_trace.model import Origin

from .document import Document
from .selection import Selection
from .sources import Source, same_file


@dataclass(frozen=True)
class Link:
    """A 1-based line of a source."""

    source: Source
    line: int


class Links:
    """Joins line maps and sources; remembers which file of a line map is which source."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = tuple(sources)
        self._by_file: dict[str, Source | None] = {}

    def lines(self, places: Iterable[Origin]) -> tuple[Link, ...]:
        """The source lines that are meant; none for files that the recording does not hold."""
        found = ((self.source(origin.file), origin.line) for origin in places)
        return tuple(Link(source, line) for source, line in found if source is not None)

    def rows_of(self, document: Document, selection: Selection) -> frozenset[int]:
        """The rows that come from the selected lines, or are about the selected buffer."""
        if not selection:
            return frozenset()
        wanted = {(self.source(place.file), place.line) for place in selection.places}
        return document.rows_from(lambda origin: (self.source(origin.file), origin.line) in wanted, selection.buffer)

    def source(self, file: str) -> Source | None:
        """The source that ``file`` means."""
        if file not in self._by_file:
            self._by_file[file] = next((source for source in self._sources if same_file(source.path, file)), None)
        return self._by_file[file]
