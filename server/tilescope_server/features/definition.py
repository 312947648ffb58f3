"""textDocument/definition, references and documentHighlight of buffers: from a use to the allocation, from a macro's
buffer to those of its callers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from tilescope_server import convert

from .reading import names_of

if TYPE_CHECKING:
    from tilescope_server.app import Server
    from tilescope_server.bindings import Bindings, Occurrence
    from tilescope_server.session import Document
    from tilescope_server.uses import BufferUse


def register(server: Server) -> None:
    server.on(types.TEXT_DOCUMENT_DEFINITION, partial(definition, server))
    server.on(types.TEXT_DOCUMENT_REFERENCES, partial(references, server))
    server.on(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, partial(document_highlight, server))


async def definition(
    server: Server, params: types.DefinitionParams
) -> list[types.LocationLink] | list[types.Location] | None:
    found = await _buffer(server, params)
    if found is None:
        return None
    from tilescope_server.uses import definitions

    document, use, names = found
    text_document = server.client_capabilities.text_document
    capability = text_document.definition if text_document is not None else None
    places = [_range(server, document, place) for place in definitions(use, names)]
    if capability is not None and capability.link_support:
        origin = _range(server, document, use.occurrence)
        return [types.LocationLink(document.uri, place, place, origin) for place in places]
    return [types.Location(document.uri, place) for place in places]


async def references(server: Server, params: types.ReferenceParams) -> list[types.Location] | None:
    found = await _buffer(server, params)
    if found is None:
        return None
    document, use, names = found
    return [
        types.Location(document.uri, _range(server, document, place))
        for place in _same(document, use, names)
        if params.context.include_declaration or not place.binds
    ]


async def document_highlight(
    server: Server, params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight] | None:
    found = await _buffer(server, params)
    if found is None:
        return None
    document, use, names = found
    kinds = {True: types.DocumentHighlightKind.Write, False: types.DocumentHighlightKind.Read}
    return [
        types.DocumentHighlight(_range(server, document, place), kinds[place.binds])
        for place in _same(document, use, names)
    ]


def _same(document: Document, use: BufferUse, names: Bindings) -> list[Occurrence]:
    """All names of the text that mean one of the same buffers, whatever they are called there."""
    from tilescope_server.uses import all_uses

    wanted = {id(site) for site in use.sites}
    every = [one for one in all_uses(document.sites, names) if wanted & {id(site) for site in one.sites}]
    return sorted((one.occurrence for one in every), key=lambda place: (place.line, place.column))


async def _buffer(
    server: Server, params: types.DefinitionParams | types.ReferenceParams | types.DocumentHighlightParams
) -> tuple[Document, BufferUse, Bindings] | None:
    document = server.session.get(params.text_document.uri)
    if document is None or not document.sites:
        return None
    from tilescope_server.uses import buffer_at  # slow to import: not at every start

    line, column = convert.place(server.codec, document.lines, params.position)
    names = await names_of(document)
    use = buffer_at(document.sites, names, line, column)
    return None if use is None else (document, use, names)


def _range(server: Server, document: Document, place: Occurrence) -> types.Range:
    return types.Range(
        convert.position(server.codec, document.lines, place.line, place.column),
        convert.position(server.codec, document.lines, place.line, place.end_column),
    )
