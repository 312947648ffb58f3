"""textDocument/codeLens: specialization, target and panels above each kernel; workspace/codeLens/refresh."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from tilescope_server import convert

if TYPE_CHECKING:
    from tilescope_server.app import Server
    from tilescope_server.lenses import Lens
    from tilescope_server.session import Document


def register(server: Server) -> None:
    server.on(types.TEXT_DOCUMENT_CODE_LENS, partial(code_lens, server), empty=[])


def code_lens(server: Server, params: types.CodeLensParams) -> list[types.CodeLens]:
    document = server.session.get(params.text_document.uri)
    if document is None:
        return []
    return [_lens(server, document, lens) for lens in _lenses(server, document)]


def refresh(server: Server, document: Document) -> None:
    """Ask the client to fetch lenses again, where it can and they say something else than before. After an edit that
    only moves them it does so by itself."""
    workspace = server.client_capabilities.workspace
    if not (workspace and workspace.code_lens and workspace.code_lens.refresh_support):
        return
    told = tuple((lens.kernel, lens.title) for part in document.parts() for lens in _lenses(server, part))
    if server.lenses.get(document.uri, ()) != told:
        server.lenses[document.uri] = told
        server.refresh_lenses.ask()


def _lenses(server: Server, document: Document) -> tuple[Lens, ...]:
    kernels = document.analysis.seen()
    if not kernels or not server.session.settings.code_lens.enabled:
        return ()
    from tilescope_server.lenses import lenses_of  # slow to import: not at every start

    return lenses_of(kernels, document.lines, executes=server.session.trust.may_execute)


def _lens(server: Server, document: Document, lens: Lens) -> types.CodeLens:
    start = convert.position(server.codec, document.lines, lens.line, 1)
    end = convert.position(server.codec, document.lines, lens.line, len(document.lines[lens.line - 1]) + 1)
    subject = {"uri": document.uri, "kernel": lens.kernel, "line": lens.kernel_line}
    return types.CodeLens(types.Range(start, end), types.Command(lens.title, lens.command, arguments=[subject]))
