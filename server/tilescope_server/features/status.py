"""tilescope/status: what a status bar should say, sent when it changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilescope_server.logs import log_path
from tilescope_server.status import Worker, status_of

if TYPE_CHECKING:
    from tilescope_server.app import Server
    from tilescope_server.session import Document

METHOD = "tilescope/status"


def report(server: Server, document: Document | None) -> None:
    """Notify of a document's status (None: of the session's), unless the client has been told just that."""
    status = status_of(
        document.uri if document is not None else None,
        document.analysis if document is not None else None,
        server.session.trust,
        server.compiler.worker if server.compiler is not None else Worker(),
        str(log_path()) if server.session.settings.log.file else None,
    )
    if server.reported.get(status.uri) != status:
        server.reported[status.uri] = status
        server.protocol.notify(METHOD, status.parameters())
