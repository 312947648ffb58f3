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
    if document is None or not server.session.settings.code_lens.enabled:
        return []
    from tilescope_server.lenses import lenses_of  # slow to import: not at every start

    lenses = lenses_of(document.analysis.seen(), document.lines, executes=server.session.trust.may_execute)
    return [_lens(server, document, lens) for lens in lenses]


def _lens(server: Server, document: Document, lens: Lens) -> types.CodeLens:
    start = convert.position(server.codec, document.lines, lens.line, 1)
    end = convert.position(server.codec, document.lines, lens.line, len(document.lines[lens.line - 1]) + 1)
    subject = {"uri": document.uri, "kernel": lens.kernel, "line": lens.kernel_line}
    return types.CodeLens(types.Range(start, end), types.Command(lens.title, lens.command, arguments=[subject]))
