"""textDocument/inlayHint and inlayHint/resolve, answered from the newest analysis; workspace/inlayHint/refresh."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from tilescope_server import convert
from tilescope_server.describe import site_markdown

if TYPE_CHECKING:
    from tilescope_server.app import Server


def register(server: Server) -> None:
    server.on(types.TEXT_DOCUMENT_INLAY_HINT, partial(inlay_hint, server), empty=[])
    server.on(types.INLAY_HINT_RESOLVE, partial(resolve, server), empty=None)


def inlay_hint(server: Server, params: types.InlayHintParams) -> list[types.InlayHint]:
    document = server.session.get(params.text_document.uri)
    if document is None:
        return []
    server.flow.attend(document.uri)
    start = convert.place(server.codec, document.lines, params.range.start)
    end = convert.place(server.codec, document.lines, params.range.end)
    hints = document.hints(server.session.settings.hints)
    places = [(hint.line, hint.column) for hint in hints]
    asked = hints[bisect_left(places, start) : bisect_right(places, end)]
    later = resolved_later(server.client_capabilities)
    return [
        convert.inlay_hint(
            hint,
            document,
            server.codec,
            tooltip=site_markdown(hint.site) if "tooltip" not in later else None,
            linked="location" not in later,
        )
        for hint in asked
    ]


def resolve(server: Server, hint: types.InlayHint) -> types.InlayHint:
    """The hint with its tooltip and with what its label leads to; as it came, where the text has changed since."""
    data: Any = hint.data
    document = (
        server.session.get(data["uri"]) if isinstance(data, dict) and isinstance(data.get("uri"), str) else None
    )
    if document is None or data.get("text_version") != document.snapshot.version:
        return hint
    for known in document.hints(server.session.settings.hints):
        if (known.line, known.column) == (data.get("line"), data.get("column")):
            hint.tooltip = convert.markup(site_markdown(known.site))
            hint.label = convert.label(known, document, server.codec, linked=True)
            break
    return hint


def refresh(server: Server) -> None:
    """Ask the client to fetch hints again, where it can."""
    workspace = server.client_capabilities.workspace
    if workspace and workspace.inlay_hint and workspace.inlay_hint.refresh_support:
        server.refresh_hints.ask()


def resolved_later(capabilities: types.ClientCapabilities) -> set[str]:
    """What of a hint the client asks for when it is needed: ``tooltip``, ``location`` (of a piece of the label)."""
    text_document = capabilities.text_document
    support = text_document.inlay_hint.resolve_support if text_document and text_document.inlay_hint else None
    return {name.rpartition(".")[2] for name in support.properties if name != "label.tooltip"} if support else set()
