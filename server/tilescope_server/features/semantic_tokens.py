"""textDocument/semanticTokens: buffers coloured by the memory they lie in, where the setting asks for it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from tilescope_server import convert

from .reading import names_of

if TYPE_CHECKING:
    from tilescope_server.app import Server

MODIFIERS = ("declaration", "global", "shared", "fragment", "local", "tensor")
"""``global`` memory, ``shared`` (and Ascend's on-chip memories), ``fragment`` (registers of a whole block), ``local``
(a thread's own registers), ``tensor`` memory."""
LEGEND = types.SemanticTokensLegend(["variable"], list(MODIFIERS))


def register(server: Server) -> None:
    server.on(
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        partial(full, server),
        options=types.SemanticTokensRegistrationOptions(LEGEND, full=True, range=True),
    )
    server.on(
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE,
        partial(part, server),
        options=types.SemanticTokensRegistrationOptions(LEGEND, full=True, range=True),
    )


async def full(server: Server, params: types.SemanticTokensParams) -> types.SemanticTokens | None:
    """None, not an empty answer, where there is nothing to colour: other servers' colours stay."""
    return await _tokens(server, params.text_document.uri, None)


async def part(server: Server, params: types.SemanticTokensRangeParams) -> types.SemanticTokens | None:
    return await _tokens(server, params.text_document.uri, params.range)


async def _tokens(server: Server, uri: str, wanted: types.Range | None) -> types.SemanticTokens | None:
    document = server.session.get(uri)
    if document is None or not server.session.settings.semantic_tokens.enabled or not document.sites:
        return None
    from tilescope_server.uses import all_uses, memory_of  # slow to import: not at every start

    names = await names_of(document)
    places = []
    for use in all_uses(document.sites, names):
        at = convert.position(server.codec, document.lines, use.occurrence.line, use.occurrence.column)
        end = convert.position(server.codec, document.lines, use.occurrence.line, use.occurrence.end_column)
        if wanted is None or wanted.start.line <= at.line <= wanted.end.line:
            modifiers = [memory_of(use), *(["declaration"] if use.occurrence.binds else [])]
            places.append((at.line, at.character, end.character - at.character, _bits(modifiers)))
    return types.SemanticTokens(_encoded(sorted(set(places)))) if places else None


def _bits(modifiers: list[str | None]) -> int:
    return sum(1 << MODIFIERS.index(name) for name in modifiers if name is not None)


def _encoded(places: list[tuple[int, int, int, int]]) -> list[int]:
    """Five numbers a token, its place relative to the one before."""
    data: list[int] = []
    line = character = 0
    for row, column, length, modifiers in places:
        data += [row - line, column - character if row == line else column, length, 0, modifiers]
        line, character = row, column
    return data
