"""Diagnostics of configuration files: what is wrong in the ones that hold for open documents."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from tilescope_server import convert
from tilescope_server.analysis import Analysis
from tilescope_server.session import Document
from tilescope_trace.model import Finding, Snapshot

if TYPE_CHECKING:
    from tilescope_server.app import Server


def report(server: Server, document: Document | None = None) -> None:
    """Publish the findings that the client does not have yet: those of all configurations in use, or of the one that
    holds for a document."""
    documents = server.session.documents() if document is None else (document,)
    if not server.session.settings.diagnostics.enabled or not documents:
        return
    from tilescope_trace.config.read import config_for  # slow to import: not at every start

    found: dict[str, tuple[Finding, ...]] = dict.fromkeys(server.configured, ()) if document is None else {}
    for one in documents:
        read = config_for(one.snapshot.path)
        if read.config.file:
            found[read.config.file] = read.findings
    for file, findings in found.items():
        if server.configured.get(file, ()) == findings:
            continue
        server.configured[file] = findings
        shown = _document(file)
        diagnostics = [convert.diagnostic(one, shown, server.codec, related=False) for one in findings]
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(shown.uri, diagnostics))


def _document(file: str) -> Document:
    """A configuration file as if it were open: places are converted by its lines."""
    try:
        text = Path(file).read_text(encoding="utf-8-sig", errors="replace")
    except OSError:
        text = ""
    return Document(convert.uri_of(file), Analysis(Snapshot(file, text)))
