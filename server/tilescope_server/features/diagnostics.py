"""textDocument/publishDiagnostics: findings, bound to the version they are about."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from lsprotocol import types

from tilescope_server import convert
from tilescope_trace.model import Finding

if TYPE_CHECKING:
    from tilescope_server.app import Server
    from tilescope_server.session import Document


def push(server: Server, document: Document) -> None:
    """Publish what is known about the present text, unless that is what the client already has."""
    if not server.session.settings.diagnostics.enabled:
        return
    capabilities = server.client_capabilities.text_document
    related = bool(
        capabilities and capabilities.publish_diagnostics and capabilities.publish_diagnostics.related_information
    )
    findings = _distinct(document.analysis.findings())
    shown = [convert.diagnostic(item, document, server.codec, related=related) for item in findings]
    version = document.snapshot.version
    if server.pushed.get(document.uri) == (version, shown):
        return
    server.pushed[document.uri] = (version, shown)
    server.text_document_publish_diagnostics(
        types.PublishDiagnosticsParams(uri=document.uri, diagnostics=shown, version=version)
    )


def clear(server: Server, uri: str) -> None:
    """Take the diagnostics of a closed document back."""
    if server.pushed.pop(uri, (None, []))[1]:
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri=uri, diagnostics=[]))


def _distinct(findings: Iterable[Finding]) -> list[Finding]:
    """One finding where several specializations or targets say the same about the same place."""
    first: dict[tuple[object, ...], Finding] = {}
    for item in findings:
        first.setdefault((item.code, item.line, item.column, item.end_line, item.end_column, item.message), item)
    return list(first.values())
