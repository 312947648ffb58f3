"""textDocument/documentSymbol: kernels and their buffers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from tilescope_server import convert

from .reading import names_of

if TYPE_CHECKING:
    from tilescope_server.app import Server
    from tilescope_server.outline import Entry
    from tilescope_server.session import Document


def register(server: Server) -> None:
    server.on(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, partial(document_symbol, server), empty=[])


async def document_symbol(server: Server, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
    document = server.session.get(params.text_document.uri)
    known = document.analysis.seen() if document is not None else ()
    if document is None or not known:
        return []
    from tilescope_server.outline import outline_of  # slow to import: not at every start

    entries = outline_of(known, await names_of(document), document.lines)
    return [_symbol(server, document, entry, types.SymbolKind.Function) for entry in entries]


def _symbol(server: Server, document: Document, entry: Entry, kind: types.SymbolKind) -> types.DocumentSymbol:
    line, column, end = entry.place
    return types.DocumentSymbol(
        entry.name,
        kind,
        _range(server, document, entry),
        types.Range(
            convert.position(server.codec, document.lines, line, column),
            convert.position(server.codec, document.lines, line, end),
        ),
        detail=entry.detail,
        children=[_symbol(server, document, one, types.SymbolKind.Variable) for one in entry.inside] or None,
    )


def _range(server: Server, document: Document, entry: Entry) -> types.Range:
    end = len(document.lines[entry.last - 1]) + 1
    return types.Range(
        convert.position(server.codec, document.lines, entry.first, 1),
        convert.position(server.codec, document.lines, entry.last, end),
    )
