"""From rows of IR to lines of Python and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .document import Document
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

    def of_row(self, document: Document, row: int | None) -> tuple[Link, ...]:
        """The source lines that a row comes from; none for files that the recording does not hold."""
        if row is None:
            return ()
        found = ((self._source(origin.file), origin.line) for origin in document.origins(row))
        return tuple(Link(source, line) for source, line in found if source is not None)

    def rows_of(self, document: Document, source: Source, line: int) -> frozenset[int]:
        """The rows that come from a source line."""
        return document.rows_from(lambda origin: origin.line == line and self._source(origin.file) is source)

    def _source(self, file: str) -> Source | None:
        if file not in self._by_file:
            self._by_file[file] = next((source for source in self._sources if same_file(source.path, file)), None)
        return self._by_file[file]
