"""textDocument/codeAction: fixes of findings, and directives that settle arguments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from tilescope_server import convert

if TYPE_CHECKING:
    from tilescope_server.app import Server
    from tilescope_server.session import Document

ARGUMENTS_UNKNOWN = "TS003"


def register(server: Server) -> None:
    server.on(types.TEXT_DOCUMENT_CODE_ACTION, partial(code_action, server), empty=[])


def code_action(server: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    document = server.session.get(params.text_document.uri)
    only = params.context.only
    if document is None or not (only is None or any("quickfix".startswith(str(kind)) for kind in only)):
        return []
    start = convert.place(server.codec, document.lines, params.range.start)
    end = convert.place(server.codec, document.lines, params.range.end)
    return [
        *_fixes(server, document, params.context.diagnostics, start, end),
        *_directives(server, document, params.context.diagnostics, start[0], end[0]),
    ]


def _fixes(
    server: Server,
    document: Document,
    shown: Iterable[types.Diagnostic],
    start: tuple[int, int],
    end: tuple[int, int],
) -> Iterator[types.CodeAction]:
    """Fixes of what was found in this very text: those of an older one may no longer fit."""
    facts = document.analysis.facts
    findings = [*facts.findings, *(one for kernel in facts.kernels for one in kernel.findings)] if facts else []
    told: set[tuple[str, str]] = set()
    for finding in findings:
        touches = (finding.line, finding.column) <= end and start <= (finding.end_line, finding.end_column)
        if not touches or finding.file != document.snapshot.path:
            continue
        diagnostic = convert.diagnostic(finding, document, server.codec, related=False)
        same = [one for one in shown if (one.code, one.range) == (diagnostic.code, diagnostic.range)]
        for fix in finding.fixes:
            edits = [_edit(server, document, edit) for edit in fix.edits]
            if edits and (fix.title, str(fix.edits)) not in told:
                told.add((fix.title, str(fix.edits)))
                yield _action(server, document, fix.title, edits, same, preferred=len(finding.fixes) == 1)


def _directives(
    server: Server, document: Document, shown: Iterable[types.Diagnostic], first: int, last: int
) -> Iterator[types.CodeAction]:
    from tilescope_server.write_directive import TO_FILL_IN, directives_for  # slow to import: not at every start

    for new in directives_for(document.analysis.kernels, document.snapshot.text):
        if new.last < first or last < new.first:
            continue
        open_ones = ", ".join(new.names)
        title = (
            f"Write a directive for {new.kernel}, to fill in: {open_ones}"
            if TO_FILL_IN in new.text
            else f"Write a directive for {new.kernel} with these values: {open_ones}"
        )
        at = convert.position(server.codec, document.lines, new.line, 1)
        about = [one for one in shown if one.code == ARGUMENTS_UNKNOWN]
        yield _action(server, document, title, [types.TextEdit(types.Range(at, at), new.text)], about)


def _edit(server: Server, document: Document, edit: Mapping[str, Any]) -> types.TextEdit:
    places = ((edit["line"], edit["column"]), (edit["end_line"], edit["end_column"]))
    start, end = (convert.position(server.codec, document.lines, *place) for place in places)
    return types.TextEdit(types.Range(start, end), str(edit["text"]))


def _action(
    server: Server,
    document: Document,
    title: str,
    edits: list[types.TextEdit],
    diagnostics: list[types.Diagnostic],
    *,
    preferred: bool = False,
) -> types.CodeAction:
    return types.CodeAction(
        title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=diagnostics or None,
        is_preferred=preferred or None,
        edit=_workspace_edit(server, document, edits),
    )


def _workspace_edit(server: Server, document: Document, edits: list[types.TextEdit]) -> types.WorkspaceEdit:
    """Bound to the version of the text, where the client understands that."""
    workspace = server.client_capabilities.workspace
    if workspace and workspace.workspace_edit and workspace.workspace_edit.document_changes:
        identifier = types.OptionalVersionedTextDocumentIdentifier(document.uri, document.snapshot.version)
        return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, list(edits))])
    return types.WorkspaceEdit(changes={document.uri: edits})
