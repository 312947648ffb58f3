"""tilescope/analysis: the facts of a document as public JSON, with version and stage."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tilescope_server.app import Server

METHOD = "tilescope/analysis"


def register(server: Server) -> None:
    server.on(METHOD, partial(analysis, server))


def analysis(server: Server, params: Any) -> dict[str, Any] | None:
    """``{version, stage, complete, facts}``; None for a document that is not open. ``complete`` is false while
    more is due for this version."""
    from tilescope_trace.model.public import facts_document

    document = server.session.get(_uri(params))
    if document is None:
        return None
    facts = document.analysis.facts
    return {
        "version": document.snapshot.version,
        "stage": document.analysis.stage,
        "complete": facts is not None and facts.complete,
        "facts": facts_document([facts] if facts is not None else []),
    }


def _uri(params: Any) -> str:
    """pygls makes objects of the parameters of methods it does not know."""
    document = params["textDocument"] if isinstance(params, dict) else params.textDocument
    return str(document["uri"] if isinstance(document, dict) else document.uri)
