"""textDocument/inlayHint and inlayHint/resolve, answered from the newest analysis; workspace/inlayHint/refresh."""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from tilescope_server import convert
from tilescope_server.describe import site_markdown

from .protocol import AsJson

if TYPE_CHECKING:
    from tilescope_server.app import Server


PATIENCE_SECONDS = 18.0
IMPATIENT_SECONDS = {"Emacs": 8.0}
"""How long clients that cannot be asked to fetch hints again wait for those of their text, some by name: Helix gives
a request up after 20 s, Emacs after 10 (and asks again by itself). A first compile may take more than 10."""


def register(server: Server) -> None:
    server.on(types.INLAY_HINT_RESOLVE, partial(resolve, server), empty=None)


def register_answer(server: Server) -> None:
    """Serve hints as suits the client, which is known by now."""
    answer = inlay_hint if _fetches_again(server) else settled_hints
    server.on(types.TEXT_DOCUMENT_INLAY_HINT, partial(answer, server), empty=[])


async def settled_hints(server: Server, params: types.InlayHintParams) -> AsJson | list[types.InlayHint]:
    """The hints once the newest text is analysed: these clients ask once after an edit, and would go on showing those
    of the text before. Helix takes an answer that comes during further edits for the last one, so none comes then."""
    with contextlib.suppress(asyncio.TimeoutError):
        patience = IMPATIENT_SECONDS.get(server.client_name, PATIENCE_SECONDS)
        await asyncio.wait_for(_settled(server, params.text_document.uri), patience)
    return inlay_hint(server, params)


async def _settled(server: Server, uri: str) -> None:
    document = server.session.whole(uri)
    if document is None:
        return
    server.flow.attend(document.uri)
    while server.session.whole(uri) is document:
        facts = document.analysis.facts
        if facts is not None and facts.complete:
            return
        await server.shown.wait()


def inlay_hint(server: Server, params: types.InlayHintParams) -> AsJson | list[types.InlayHint]:
    document = server.session.get(params.text_document.uri)
    if document is None:
        return []
    server.flow.attend(document.uri)
    document.asked = True
    start = convert.place(server.codec, document.lines, params.range.start)
    end = convert.place(server.codec, document.lines, params.range.end)
    hints = document.hints(server.session.settings.hints, start[0], end[0])
    later = resolved_later(server.client_capabilities)
    return AsJson(
        [
            convert.inlay_hint(
                hint,
                document,
                server.codec,
                tooltip=site_markdown(hint.site) if "tooltip" not in later else None,
                linked="location" not in later,
            )
            for hint in hints
            if start <= (hint.line, hint.column) <= end
        ]
    )


def resolve(server: Server, hint: types.InlayHint) -> AsJson | types.InlayHint:
    """The hint with its tooltip and with what its label leads to; as it came, where the text has changed since."""
    data: Any = hint.data
    document = (
        server.session.get(data["uri"]) if isinstance(data, dict) and isinstance(data.get("uri"), str) else None
    )
    if document is None or data.get("text_version") != document.snapshot.version:
        return hint
    line, column = data.get("line"), data.get("column")
    if isinstance(line, int):
        for known in document.hints(server.session.settings.hints, line, line):
            if known.column == column:
                tooltip = site_markdown(known.site)
                return AsJson(convert.inlay_hint(known, document, server.codec, tooltip=tooltip, linked=True))
    return hint


def refresh(server: Server) -> None:
    """Ask the client to fetch hints again, where it can."""
    if _fetches_again(server):
        server.refresh_hints.ask()


def _fetches_again(server: Server) -> bool:
    workspace = server.client_capabilities.workspace
    return bool(workspace and workspace.inlay_hint and workspace.inlay_hint.refresh_support)


def resolved_later(capabilities: types.ClientCapabilities) -> set[str]:
    """What of a hint the client asks for when it is needed: ``tooltip``, ``location`` (of a piece of the label)."""
    text_document = capabilities.text_document
    support = text_document.inlay_hint.resolve_support if text_document and text_document.inlay_hint else None
    return {name.rpartition(".")[2] for name in support.properties if name != "label.tooltip"} if support else set()
