"""textDocument/codeAction: fixes of findings, comments that suppress them, directives that settle arguments, all
sure fixes at once (source.fixAll)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from tilescope_server import convert

if TYPE_CHECKING:
    from tilescope_server.app import Server
    from tilescope_server.session import Document
    from tilescope_trace.model import Finding

ARGUMENTS_UNKNOWN = "TS003"


FIX_ALL = "source.fixAll.tilescope"


def register(server: Server) -> None:
    options = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, FIX_ALL])
    server.on(types.TEXT_DOCUMENT_CODE_ACTION, partial(code_action, server), empty=[], options=options)


def code_action(server: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
    document = server.session.get(params.text_document.uri)
    if document is None:
        return []
    only = params.context.only
    start = convert.place(server.codec, document.lines, params.range.start)
    end = convert.place(server.codec, document.lines, params.range.end)
    found: list[types.CodeAction] = []
    if only is None or _asked(types.CodeActionKind.QuickFix, only):
        found += _fixes(server, document, params.context.diagnostics, start, end)
        found += _directives(server, document, params.context.diagnostics, start[0], end[0])
        found += _suppressions(server, document, params.context.diagnostics, start, end)
    if only is not None and _asked(FIX_ALL, only):
        found += _all_fixes(server, document)
    return found


def _asked(kind: str, only: Iterable[str]) -> bool:
    """Whether a client that asks for these kinds wants actions of ``kind``: kinds are parts of kinds."""
    return any(kind == wanted or kind.startswith(f"{wanted}.") for wanted in map(_text, only))


def _text(kind: str) -> str:
    return kind.value if isinstance(kind, types.CodeActionKind) else kind


def _shown(server: Server, document: Document) -> list[Finding]:
    """The findings that are shown, of this very text: places of an older one may no longer fit."""
    facts = document.analysis.facts
    fresh = [*facts.findings, *(one for kernel in facts.kernels for one in kernel.findings)] if facts else []
    shown = {(one.code, one.line, one.column) for one in server.session.problems(document)}
    path = document.snapshot.path
    return [one for one in fresh if one.file == path and (one.code, one.line, one.column) in shown]


def _touches(finding: Finding, start: tuple[int, int], end: tuple[int, int]) -> bool:
    return (finding.line, finding.column) <= end and start <= (finding.end_line, finding.end_column)


def _suppressions(
    server: Server,
    document: Document,
    diagnostics: Iterable[types.Diagnostic],
    start: tuple[int, int],
    end: tuple[int, int],
) -> Iterator[types.CodeAction]:
    """A comment for each code that is found here; whoever takes it writes a reason behind it."""
    from tilescope_server.lint.add_ignore import line_with_ignore  # slow to import: not at every start

    text = document.snapshot.text
    for code, finding in {one.code: one for one in _shown(server, document) if _touches(one, start, end)}.items():
        new = line_with_ignore(text, finding)
        if new is None:
            continue
        number, line = new
        old = document.lines[number - 1]
        kept = next((at for at, (a, b) in enumerate(zip(old, line, strict=False)) if a != b), len(old))
        edit = _edit(
            server,
            document,
            {"line": number, "column": kept + 1, "end_line": number, "end_column": len(old) + 1, "text": line[kept:]},
        )
        same = [one for one in diagnostics if one.code == code]
        yield _action(server, document, f"Suppress {code} here, with a reason", [edit], same)


def _all_fixes(server: Server, document: Document) -> Iterator[types.CodeAction]:
    from tilescope_server.lint.fix import chosen  # slow to import: not at every start

    fixes = chosen(document.snapshot.text, [one for one in _shown(server, document) if one.fixes])
    edits = [_edit(server, document, edit) for fix in fixes for edit in fix.edits]
    if edits:
        yield types.CodeAction(
            "Fix all that tilescope is sure of", kind=FIX_ALL, edit=_workspace_edit(server, document, edits)
        )


def _fixes(
    server: Server,
    document: Document,
    shown: Iterable[types.Diagnostic],
    start: tuple[int, int],
    end: tuple[int, int],
) -> Iterator[types.CodeAction]:
    told: set[tuple[str, str]] = set()
    for finding in _shown(server, document):
        if not _touches(finding, start, end):
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
