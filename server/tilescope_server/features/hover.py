"""textDocument/hover: full facts about the buffer, operation, launch or kernel under the cursor."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from tilescope_server import convert
from tilescope_server.describe import site_markdown
from tilescope_server.lookup import site_at

if TYPE_CHECKING:
    from tilescope_server.app import Server


def register(server: Server) -> None:
    server.on(types.TEXT_DOCUMENT_HOVER, partial(hover, server))


def hover(server: Server, params: types.HoverParams) -> types.Hover | None:
    document = server.session.get(params.text_document.uri)
    if document is None:
        return None
    line, column = convert.place(server.codec, document.lines, params.position)
    found = site_at(document.sites, document.lines, line, column)
    if found is None:
        return None
    site, (start, end) = found
    return types.Hover(
        contents=_contents(server.client_capabilities, site_markdown(site)),
        range=types.Range(
            convert.position(server.codec, document.lines, line, start),
            convert.position(server.codec, document.lines, line, end),
        ),
    )


def _contents(capabilities: types.ClientCapabilities, markdown: str) -> types.MarkupContent:
    text_document = capabilities.text_document
    formats = text_document.hover.content_format if text_document and text_document.hover else None
    if not formats or types.MarkupKind.Markdown in formats:
        return convert.markup(markdown)
    return types.MarkupContent(types.MarkupKind.PlainText, re.sub(r"\*\*|`|  $", "", markdown, flags=re.MULTILINE))
