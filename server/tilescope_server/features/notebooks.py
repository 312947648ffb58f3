"""notebookDocument/didOpen, didChange, didClose: a notebook's code cells are analysed as one text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from tilescope_server import convert
from tilescope_server.analysis import Analysis
from tilescope_server.session import key_of, path_of
from tilescope_trace.model import Snapshot

from . import diagnostics

if TYPE_CHECKING:
    from tilescope_server.app import Server
    from tilescope_server.notebook import Cell, Notebook

SYNC = types.NotebookDocumentSyncOptions(
    [types.NotebookDocumentFilterWithNotebook("*", [types.NotebookCellLanguage("python")])]
)
"""Cells in Python of any kind of notebook; clients leave the others out, and count without them."""


def register(server: Server) -> None:
    server.on(types.NOTEBOOK_DOCUMENT_DID_OPEN, partial(did_open, server))
    server.on(types.NOTEBOOK_DOCUMENT_DID_CHANGE, partial(did_change, server))
    server.on(types.NOTEBOOK_DOCUMENT_DID_CLOSE, partial(did_close, server))


def did_open(server: Server, params: types.DidOpenNotebookDocumentParams) -> None:
    from tilescope_server.notebook import Notebook  # slow to import: not at every start

    opened = params.notebook_document
    path = path_of(opened.uri, server.session.root)
    notebook = Notebook(opened.uri, Analysis(Snapshot(path, "", opened.version)))
    notebook.arrange([cell.document for cell in opened.cells], _opened(params.cell_text_documents), opened.version)
    server.session.open_notebook(notebook)
    server.flow.follow(notebook, at_once=True)
    server.index.opened()


def did_change(server: Server, params: types.DidChangeNotebookDocumentParams) -> None:
    notebook = _notebook(server, params.notebook_document.uri)
    change = params.change.cells
    if notebook is None or change is None:
        return
    before = {key_of(cell.uri): cell for cell in notebook.cells}
    texts, order = dict(before), list(notebook.order)
    if change.structure is not None:
        texts.update(_opened(change.structure.did_open or ()))
        array = change.structure.array
        order[array.start : array.start + array.delete_count] = [cell.document for cell in array.cells or ()]
    for edit in change.text_content or ():
        old = texts.get(key_of(edit.document.uri))
        if old is not None:
            text = convert.edited(old.text, edit.changes, server.codec)
            texts[key_of(old.uri)] = replace(old, text=text, version=edit.document.version)
    if notebook.arrange(order, texts, params.notebook_document.version):
        server.session.arrange(notebook)
        for gone in before.keys() - {key_of(cell.uri) for cell in notebook.cells}:
            diagnostics.clear(server, before[gone].uri)
        server.flow.follow(notebook)


def did_close(server: Server, params: types.DidCloseNotebookDocumentParams) -> None:
    notebook = _notebook(server, params.notebook_document.uri)
    if notebook is not None:
        server.session.close(notebook.uri)
        server.forget(notebook)


def _notebook(server: Server, uri: str) -> Notebook | None:
    from tilescope_server.notebook import Notebook

    document = server.session.get(uri)
    return document if isinstance(document, Notebook) else None


def _opened(documents: Sequence[types.TextDocumentItem]) -> dict[str, Cell]:
    from tilescope_server.notebook import Cell

    return {key_of(one.uri): Cell(one.uri, one.text, one.version) for one in documents if one.language_id == "python"}
