"""textDocument/didOpen, didChange, didSave, didClose: where every analysis begins and ends."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from tilescope_server import convert
from tilescope_server.session import path_of

if TYPE_CHECKING:
    from tilescope_server.app import Server


def register(server: Server) -> None:
    server.on(types.TEXT_DOCUMENT_DID_OPEN, partial(did_open, server))
    server.on(types.TEXT_DOCUMENT_DID_CHANGE, partial(did_change, server))
    server.on(types.TEXT_DOCUMENT_DID_SAVE, partial(did_save, server))
    server.on(types.TEXT_DOCUMENT_DID_CLOSE, partial(did_close, server))


def did_open(server: Server, params: types.DidOpenTextDocumentParams) -> None:
    item = params.text_document
    # A client that tells of notebooks may tell of their cells, too.
    if not item.uri.startswith("vscode-notebook-cell:"):
        document = server.session.open(item.uri, item.text, item.version)
        server.flow.attend(item.uri)
        server.flow.follow(document, at_once=True)
        server.index.opened()
        if document.dirty:
            server.changed([document.snapshot.path])


def did_change(server: Server, params: types.DidChangeTextDocumentParams) -> None:
    document = server.session.get(params.text_document.uri)
    if document is None:
        return
    text = convert.edited(document.snapshot.text, params.content_changes, server.codec)
    document.edit(text, params.text_document.version)
    server.flow.attend(document.uri)
    server.flow.follow(document)
    server.changed([document.snapshot.path])
    server.index.edited(document.snapshot.path)


def did_save(server: Server, params: types.DidSaveTextDocumentParams) -> None:
    """What is on disk is now what the editor shows; a file that we do not follow has changed."""
    document = server.session.get(params.text_document.uri)
    if document is not None:
        document.dirty = False
        server.index.written([document.snapshot.path])
    elif params.text_document.uri.startswith("file:"):
        server.changed_on_disk([path_of(params.text_document.uri, None)])


def did_close(server: Server, params: types.DidCloseTextDocumentParams) -> None:
    document = server.session.close(params.text_document.uri)
    if document is not None:
        server.forget(document)
