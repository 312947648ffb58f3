"""workspace/symbol: kernels and buffers of open documents and of the other files of their workspaces."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from tilescope_server import convert

from .reading import names_of

if TYPE_CHECKING:
    from tilescope_server.app import Server
    from tilescope_server.symbols import Symbol

_KINDS = {"kernel": types.SymbolKind.Function, "buffer": types.SymbolKind.Variable}


def register(server: Server) -> None:
    server.on(types.WORKSPACE_SYMBOL, partial(workspace_symbol, server), empty=[])


async def workspace_symbol(server: Server, params: types.WorkspaceSymbolParams) -> list[types.SymbolInformation]:
    from tilescope_server.symbols import SymbolIndex, matching, symbols_of  # slow to import: not at every start

    if server.symbols is None:
        server.symbols = SymbolIndex(server.session)
    found: list[Symbol] = []
    documents = server.session.documents()
    for part in (part for document in documents for part in document.parts()):
        found.extend(symbols_of(part.uri, part.analysis.seen(), await names_of(part), part.lines))
    found.extend(await server.symbols.others(document.real for document in documents))
    return [_information(server, symbol) for symbol in matching(found, params.query)]


def _information(server: Server, symbol: Symbol) -> types.SymbolInformation:
    start, end = (
        convert.position(server.codec, [symbol.text], 1, column).character
        for column in (symbol.column, symbol.end_column)
    )
    line = symbol.line - 1
    return types.SymbolInformation(
        types.Location(symbol.uri, types.Range(types.Position(line, start), types.Position(line, end))),
        symbol.name,
        _KINDS[symbol.kind],
        container_name=symbol.inside or None,
    )
