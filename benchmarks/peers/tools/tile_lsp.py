"""tile-lsp: a language server. Its diagnostics are what it publishes after a file is opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lsp_client import Client
from peers.cases import Case
from peers.judge import Said, Severity
from peers.place import Place

NAME = "tile-lsp"
DISTRIBUTION = "tile-lsp"
HOW = "`tiled lsp --stdio`, the file opened by a client of the protocol; what it publishes"
SEVERITIES: dict[int, Severity] = {1: "error", 2: "warning", 3: "info", 4: "info"}
KINDS = {
    "missing-clear": "uninitialized-read",
    "alloc-outside-kernel": "alloc-outside-kernel",
    "deprecated-alloc-buffer": "alloc-buffer",
    "missing-dtype": "missing-dtype",
}
"""What its codes are about, in our words."""


def command(place: Place) -> list[str]:
    return [str(place.python.parent / "tiled"), "lsp", "--stdio"]


def published(client: Client, uri: str, since: float) -> tuple[float, Sequence[Any]]:
    """When the diagnostics of a document came after ``since``, and they."""
    answer: list[Any] = []

    def told(method: str, params: Any) -> bool:
        if method == "textDocument/publishDiagnostics" and params["uri"] == uri:
            answer[:] = params["diagnostics"]
            return True
        return False

    return client.told(since, told), answer


def said(diagnostic: Mapping[str, Any]) -> Said:
    """A diagnostic of the protocol in our words."""
    line = diagnostic["range"]["start"]["line"] + 1
    severity = SEVERITIES[diagnostic.get("severity", 1)]
    return Said(line, severity, KINDS.get(diagnostic.get("code", "")), diagnostic["message"])


def look(cases: Sequence[Case], place: Place) -> dict[str, tuple[Said, ...]]:
    client = Client({}, place.folder("tile_lsp"), command(place))
    found = {}
    for case in cases:
        uri = case.path.as_uri()
        since = client.open(uri, case.path.read_text(encoding="utf-8"))
        _, diagnostics = published(client, uri, since)
        found[case.name] = tuple(said(one) for one in diagnostics)
        client.close(uri)
    client.end()
    return found
