"""tile-lsp on kernels that other people published: those of docs/corpus.md, where our own findings are explained."""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from corpora.packages import PACKAGES, default_cache, fetch
from lsp_client import Client

from .place import Place
from .tools import tile_lsp


@dataclass(frozen=True)
class Told:
    """A diagnostic's code in the files of a package: how often, in how many files (``flagged``), and, of
    ``alloc-outside-kernel``, how often the allocation does stand inside ``with T.Kernel(...)`` or in a macro."""

    package: str
    files: int
    code: str
    severity: str
    times: int
    flagged: int
    inside: int = 0


def collect(place: Place) -> None:
    """Open every file in tile-lsp and keep the counts. Downloads the packages once (92 MB)."""
    told = [one for package in PACKAGES for one in _package(place, package, fetch(package, default_cache()))]
    (place.scratch / "published.json").write_text(json.dumps([asdict(one) for one in told], indent=1))


def read(place: Place) -> list[Told]:
    return [Told(**one) for one in json.loads((place.scratch / "published.json").read_text(encoding="utf-8"))]


def _package(place: Place, package: Any, root: Path) -> Iterator[Told]:
    client = Client({}, place.folder("tile_lsp"), tile_lsp.command(place))
    files = package.files(root)
    times, flagged, inside = Counter[str](), Counter[str](), 0
    severity: dict[str, str] = {}
    for path in files:
        uri, text = path.as_uri(), path.read_text("utf-8", "replace")
        _, diagnostics = tile_lsp.published(client, uri, client.open(uri, text))
        client.close(uri)
        codes = [one["code"] for one in diagnostics]
        times.update(codes)
        flagged.update(set(codes))
        severity |= {one["code"]: tile_lsp.said(one).severity for one in diagnostics}
        inside += _inside(text, diagnostics)
    client.end()
    for code, count in sorted(times.items()):
        known = inside if code == "alloc-outside-kernel" else 0
        name = f"{package.name} {package.version}"
        yield Told(name, len(files), code, severity[code], count, flagged[code], known)
    if not times:
        yield Told(f"{package.name} {package.version}", len(files), "", "", 0, 0)


def _inside(text: str, diagnostics: list[Mapping[str, Any]]) -> int:
    """How many of the allocations that are told to be outside a kernel are in one."""
    tree = ast.parse(text)
    kernels = [node for node in ast.walk(tree) if _is_kernel(node)]
    lines = [one["range"]["start"]["line"] + 1 for one in diagnostics if one["code"] == "alloc-outside-kernel"]
    return sum(any(node.lineno <= line <= (node.end_lineno or line) for node in kernels) for line in lines)


def _is_kernel(node: ast.AST) -> bool:
    if isinstance(node, ast.With):
        return any("Kernel(" in ast.unparse(item.context_expr) for item in node.items)
    return isinstance(node, ast.FunctionDef) and any("macro" in ast.unparse(one) for one in node.decorator_list)
