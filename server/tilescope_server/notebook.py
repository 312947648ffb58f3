"""An open notebook: a document whose text is that of its cells, and which is shown in its cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from tilescope_trace.model import Snapshot
from tilescope_trace.source.notebooks import Joined, join

from .analysis import Analysis
from .cells import CellView, seen_from
from .session import Document, key_of


@dataclass(frozen=True)
class Cell:
    """One code cell; ``uri`` is spelled as the client spells it, ``version`` its own."""

    uri: str
    text: str
    version: int | None


@dataclass
class Notebook(Document):
    """``cells`` are its code cells in order, ``order`` the URIs of all cells that the client told of. Facts are found
    for the code as one text; ``cell`` shows them as those of a single cell, for features that know nothing of
    notebooks."""

    cells: tuple[Cell, ...] = ()
    order: tuple[str, ...] = ()
    _joined: Joined = field(default_factory=lambda: Joined(""), repr=False)
    _shown: dict[str, Document] = field(default_factory=dict, repr=False)
    _shown_of: Analysis | None = field(default=None, repr=False)

    def arrange(self, order: Sequence[str], cells: Mapping[str, Cell], version: int | None) -> bool:
        """Take newer cells, given by the keys of their URIs; False where nothing differs."""
        self.order = tuple(order)
        found = tuple(cells[key] for uri in order if (key := key_of(uri)) in cells)
        if found == self.cells:
            return False
        self.cells = found
        self._joined = join([cell.text for cell in found])
        self._shown_of = None
        self.edit(self._joined.text, version)
        self.dirty = False
        return True

    def compare(self) -> None:
        """No text imports a notebook: whether it differs from its file matters to none."""
        self.dirty = False

    def parts(self) -> Iterable[Document]:
        """Its cells."""
        return tuple(self._parts().values())

    def cell(self, uri: str) -> Document | None:
        """A cell with what is known of it now."""
        return self._parts().get(key_of(uri))

    def line_of(self, part: str, line: int) -> int:
        """A line of a cell as one of the notebook's text."""
        number = next((at for at, cell in enumerate(self.cells) if key_of(cell.uri) == key_of(part)), None)
        return line if number is None else self._joined.starts[number] + line - 1

    def _parts(self) -> Mapping[str, Document]:
        if self._shown_of is not self.analysis:
            self._shown_of = self.analysis
            self._shown = {
                key_of(cell.uri): self._part(number, self.analysis) for number, cell in enumerate(self.cells)
            }
        return self._shown

    def _part(self, number: int, analysis: Analysis) -> Document:
        cell = self.cells[number]
        view = CellView(
            self.snapshot.path,
            Snapshot(cell.uri, cell.text, cell.version),
            self._joined.starts[number],
            self._joined.counts[number],
            partial(_elsewhere, self.cells, self._joined),
        )
        return Document(cell.uri, seen_from(view, analysis))


def _elsewhere(cells: tuple[Cell, ...], joined: Joined, line: int) -> tuple[str, int]:
    number, line = joined.place(line)
    return cells[number].uri, line
