"""textDocument/didOpen, didChange, didSave, didClose: where every analysis begins and ends."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from tilescope_server import convert
from tilescope_server.session import key_of

if TYPE_CHECKING:
    from tilescope_server.app import Server


def register(server: Server) -> None:
    server.on(types.TEXT_DOCUMENT_DID_OPEN, partial(did_open, server))
    server.on(types.TEXT_DOCUMENT_DID_CHANGE, partial(did_change, server))
    server.on(types.TEXT_DOCUMENT_DID_SAVE, partial(did_save, server))
    server.on(types.TEXT_DOCUMENT_DID_CLOSE, partial(did_close, server))


def did_open(server: Server, params: types.DidOpenTextDocumentParams) -> None:
    item = params.text_document
    if not item.uri.startswith("vscode-notebook-cell:"):
        server.flow.follow(server.session.open(item.uri, item.text, item.version), at_once=True)


def did_change(server: Server, params: types.DidChangeTextDocumentParams) -> None:
    document = server.session.get(params.text_document.uri)
    if document is None:
        return
    text = convert.edited(document.snapshot.text, params.content_changes, server.codec)
    document.edit(text, params.text_document.version)
    server.flow.follow(document)


def did_save(server: Server, params: types.DidSaveTextDocumentParams) -> None:
    """Other documents that name the saved module are analysed again: a macro they use may have changed."""
    saved = key_of(params.text_document.uri)
    module = re.compile(rf"\b{re.escape(Path(saved).stem)}\b")
    for document in server.session.documents():
        if key_of(document.uri) != saved and module.search(document.snapshot.text):
            server.flow.follow(document)


def did_close(server: Server, params: types.DidCloseTextDocumentParams) -> None:
    document = server.session.close(params.text_document.uri)
    if document is not None:
        server.forget(document)
