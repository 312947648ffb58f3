"""Findings as diagnostics: fetched by clients that can be told to fetch again, pushed to all others.

No document gets both. Clients that fetch (textDocument/diagnostic) but cannot be told when the compiler has answered
(workspace/diagnostic/refresh) would go on showing what was there before: to them, findings are pushed.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from lsprotocol import types

from tilescope_server import convert
from tilescope_server.rulepages import page_of
from tilescope_trace.model import Finding

if TYPE_CHECKING:
    from tilescope_server.app import Server
    from tilescope_server.session import Document

_TAGS = {"unnecessary": types.DiagnosticTag.Unnecessary, "deprecated": types.DiagnosticTag.Deprecated}


def register_pull(server: Server) -> None:
    """Offer diagnostics to be fetched, where this client shall; it then is the only way."""
    if pulls(server.client_capabilities):
        options = types.DiagnosticOptions(
            inter_file_dependencies=True, workspace_diagnostics=False, identifier=convert.SOURCE
        )
        server.on(types.TEXT_DOCUMENT_DIAGNOSTIC, partial(diagnostic, server), empty=_full([]), options=options)


def pulls(capabilities: types.ClientCapabilities) -> bool:
    """Whether the client fetches diagnostics, and fetches again when it is told to."""
    workspace, text = capabilities.workspace, capabilities.text_document
    refreshes = workspace is not None and workspace.diagnostics is not None and workspace.diagnostics.refresh_support
    return bool(refreshes and text is not None and text.diagnostic is not None)


def diagnostic(server: Server, params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
    """What is known now about the present text; more may come, which is then told."""
    document = server.session.get(params.text_document.uri)
    if document is None:
        return _full([])
    found = _diagnostics(server, document)
    identity = server.fetched[document.uri] = _identity(found)
    if params.previous_result_id == identity:
        return types.RelatedUnchangedDocumentDiagnosticReport(identity)
    return _full(found, identity)


def show(server: Server, documents: Iterable[Document], *, asks: bool) -> None:
    """Bring the client up to date; ``asks`` is whether it will fetch the new state by itself."""
    if not pulls(server.client_capabilities):
        for document in documents:
            _push(server, document)
        return
    fetched = [one for one in documents if one.uri in server.fetched]
    if not asks and any(server.fetched[one.uri] != _identity(_diagnostics(server, one)) for one in fetched):
        server.refresh_diagnostics.ask()


def clear(server: Server, uri: str) -> None:
    """Take the diagnostics of a closed document back."""
    server.fetched.pop(uri, None)
    if server.pushed.pop(uri, (None, []))[1]:
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri=uri, diagnostics=[]))


def _push(server: Server, document: Document) -> None:
    """Publish what is known about the present text, unless that is what the client already has."""
    shown, version = _diagnostics(server, document), document.snapshot.version
    if server.pushed.get(document.uri) == (version, shown):
        return
    server.pushed[document.uri] = (version, shown)
    server.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(uri=document.uri, diagnostics=shown, version=version)
    )


def _diagnostics(server: Server, document: Document) -> list[types.Diagnostic]:
    if not server.session.settings.diagnostics.enabled:
        return []
    findings = server.session.problems(document)
    return [_one(server, finding, document) for finding in findings]


def _one(server: Server, finding: Finding, document: Document) -> types.Diagnostic:
    from tilescope_trace.rules.catalog import RULES  # slow to import: not at every start

    text = server.client_capabilities.text_document
    declared = [one for one in (text.publish_diagnostics, text.diagnostic) if one is not None] if text else []
    rule = RULES.get(finding.code)
    tag = _TAGS.get(rule.tag or "") if rule is not None else None
    known = [value for one in declared if one.tag_support is not None for value in one.tag_support.value_set]
    links = any(one.code_description_support for one in declared)
    return convert.diagnostic(
        finding,
        document,
        server.codec,
        related=any(one.related_information for one in declared),
        tag=tag if tag in known else None,
        href=page_of(finding.code, server.session.settings.diagnostics.rule_pages) if links else None,
    )


def _full(found: list[types.Diagnostic], identity: str | None = None) -> types.RelatedFullDocumentDiagnosticReport:
    return types.RelatedFullDocumentDiagnosticReport(items=found, result_id=identity)


def _identity(found: list[types.Diagnostic]) -> str:
    """Equal for equal diagnostics."""
    import hashlib  # slow to import: not at every start

    return hashlib.sha256(repr(found).encode(errors="surrogatepass")).hexdigest()[:16]
