"""Kernels and buffers of a whole workspace by name: those of open documents as they stand there, and those of other
files as far as their text tells."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from tilescope_trace.model import Snapshot
from tilescope_trace.text_lines import lines_of

from .outline import Entry, outline_of
from .statics import static_facts

if TYPE_CHECKING:
    from tilescope_trace.model import Kernel
    from tilescope_trace.source.workspace import Workspace

    from .bindings import Bindings
    from .session import Session

MOST = 256
"""Symbols of one answer: nobody reads more, and each letter that is typed asks again."""
WAIT_SECONDS = 1.0
"""How long an answer waits for files that were not read before; reading goes on behind it."""
_LIBRARY = "tilelang"
"""A file that does not import it holds no kernel."""


@dataclass(frozen=True)
class Symbol:
    """A kernel or a buffer of one (``inside``, a kernel's qualified name) in the document ``uri``; ``text`` is its
    line (1-based), in which the name stands from ``column`` to before ``end_column``."""

    name: str
    kind: Literal["kernel", "buffer"]
    inside: str
    uri: str
    line: int
    column: int
    end_column: int
    text: str


def symbols_of(uri: str, kernels: Sequence[Kernel], bindings: Bindings, lines: Sequence[str]) -> tuple[Symbol, ...]:
    """The symbols of one document, in order."""
    return tuple(_symbols(uri, outline_of(kernels, bindings, lines), lines))


def matching(symbols: Iterable[Symbol], query: str) -> list[Symbol]:
    """At most `MOST` symbols whose name has the letters of ``query`` in their order, whatever their case; names that
    begin with it come first, then those that hold it. All for an empty query. Pure."""
    wanted = query.casefold()
    ranked = ((_rank(symbol, wanted), symbol) for symbol in symbols)
    found = [(rank, symbol) for rank, symbol in ranked if rank is not None]
    found.sort(key=lambda pair: (pair[0], pair[1].kind != "kernel", pair[1].name, pair[1].uri, pair[1].line))
    return [symbol for _, symbol in found[:MOST]]


class SymbolIndex:
    """The symbols of files that are not open, each read once for each state that it has on disk."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: dict[str, tuple[object, tuple[Symbol, ...]]] = {}
        self._reading: asyncio.Task[None] | None = None

    async def others(self, opened: Iterable[str]) -> list[Symbol]:
        """The symbols of the files of all workspaces beside those that are ``opened`` (real paths). What could not be
        read within `WAIT_SECONDS` is missing, and there the next time."""
        if self._reading is None or self._reading.done():
            self._reading = asyncio.create_task(self._read())
        await asyncio.wait({self._reading}, timeout=WAIT_SECONDS)
        left_out = frozenset(opened)
        return [symbol for path, (_, found) in self._known.items() if path not in left_out for symbol in found]

    async def _read(self) -> None:
        stamps = await asyncio.to_thread(self._files)
        self._known = {path: known for path, known in self._known.items() if path in stamps}
        for path, stamp in stamps.items():
            if path not in self._known or self._known[path][0] != stamp:
                self._known[path] = stamp, await asyncio.to_thread(self._symbols, path)

    def _files(self) -> Mapping[str, object]:
        """The files that may hold kernels, with their states."""
        from tilescope_trace.source.workspace import shared_workspace  # slow to import: not at every start

        places = [document.snapshot.path for document in self._session.documents()]
        if self._session.root is not None:
            places.append(str(self._session.root / "kernel.py"))
        found: dict[str, object] = {}
        workspaces = (shared_workspace(path) for path in places)
        for workspace in {id(one): one for one in workspaces if one is not None}.values():
            found.update(_importing(workspace))
        return found

    def _symbols(self, path: str) -> tuple[Symbol, ...]:
        from tilescope_trace.source.index import read_text

        from .bindings import bindings_of

        text = read_text(path)
        if text is None:
            return ()
        facts, _ = static_facts(Snapshot(path, text), replace(self._session.options_for(path), static=True))
        return symbols_of(Path(path).as_uri(), facts.kernels, bindings_of(text), lines_of(text))


def _importing(workspace: Workspace) -> Mapping[str, object]:
    if not workspace.indexed:
        workspace.refresh()
    return workspace.importing(_LIBRARY)


def _symbols(uri: str, entries: Iterable[Entry], lines: Sequence[str]) -> Iterator[Symbol]:
    for entry in entries:
        yield _symbol(uri, entry, "kernel", "", lines)
        for one in entry.inside:
            yield _symbol(uri, one, "buffer", entry.name, lines)


def _symbol(uri: str, entry: Entry, kind: Literal["kernel", "buffer"], inside: str, lines: Sequence[str]) -> Symbol:
    line, column, end_column = entry.place
    return Symbol(entry.name, kind, inside, uri, line, column, end_column, lines[line - 1])


def _rank(symbol: Symbol, wanted: str) -> int | None:
    name = symbol.name.casefold()
    if name.startswith(wanted):
        return 0
    if wanted in name:
        return 1
    letters = iter(f"{symbol.inside}.{name}".casefold())
    return 2 if all(letter in letters for letter in wanted) else None
