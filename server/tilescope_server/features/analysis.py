"""tilescope/analysis: the facts of a document as public JSON, with version and stage."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from tilescope_trace.errors import UsageError

from .panels import problem

if TYPE_CHECKING:
    from tilescope_server.app import Server

METHOD = "tilescope/analysis"


def register(server: Server) -> None:
    server.on(METHOD, partial(analysis, server))


def analysis(server: Server, params: Any) -> dict[str, Any] | None:
    """``{version, stage, complete, facts}``; None for a document that is not open. ``complete`` is false while
    more is due for this version. The document ``problem`` for parameters that are wrong."""
    from tilescope_server.panels.asked import OfDocument, checked
    from tilescope_trace.model.public import facts_document

    try:
        document = server.session.get(checked(params, OfDocument).uri)
    except UsageError as error:
        return problem(str(error))
    if document is None:
        return None
    facts = document.analysis.facts
    return {
        "version": document.snapshot.version,
        "stage": document.analysis.stage,
        "complete": facts is not None and facts.complete,
        "facts": facts_document([facts] if facts is not None else []),
    }
