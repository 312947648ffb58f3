"""Calls found in other files, kept while a file changes only within the bodies of its kernels.

What other files call with which values does not depend on tile statements. So the answer is kept under the text
without them, together with the stamps of the files looked at, and lines are carried over to where they stand now.
"""

from __future__ import annotations

import ast
import bisect
import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from .discover import KernelSource
from .signature import FunctionNode
from .sites import CallSite
from .syntax import statements
from .tolerant import Parsed
from .values import Env, Function

_KEPT = 64

Place = tuple[str, int]
"""The name of a function, and which of that name it is."""


@dataclass(frozen=True)
class Outline:
    """A file without what stands in its kernels: ``lines`` are the numbers of those that remain."""

    key: str
    lines: tuple[int, ...]


@dataclass(frozen=True)
class Found:
    """Calls in other files by function."""

    outline: Outline
    stamps: Mapping[str, object]
    sites: Mapping[Place, tuple[CallSite, ...]]


def outline(parsed: Parsed, kernels: Iterable[KernelSource], *also: object) -> Outline:
    """The outline of a file; ``also`` is what else an answer depends on."""
    inside: set[int] = set()
    for kernel in kernels:
        for statement in kernel.body.body:
            if kernel.prim_func or isinstance(statement, (ast.With, ast.For)):
                last = parsed.line(statement.end_lineno or statement.lineno)
                inside.update(range(parsed.line(statement.lineno), last + 1))
    lines = tuple(number for number in range(1, len(parsed.lines) + 1) if number not in inside)
    text = "\n".join(parsed.lines[number - 1] for number in lines)
    return Outline(hashlib.sha256(repr((text, also)).encode("utf-8", "surrogatepass")).hexdigest(), lines)


class Memory:
    """The last answers, by file."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Found] = OrderedDict()
        self._lock = threading.Lock()

    def recall(
        self, path: str, now: Outline, stamps: Mapping[str, object], parsed: Parsed
    ) -> dict[FunctionNode, tuple[CallSite, ...]] | None:
        """The calls in other files, as if they had been found now; None where something else has changed."""
        with self._lock:
            found = self._kept.get(path)
        if found is None or found.outline.key != now.key or found.stamps != stamps:
            return None
        nodes = {place: node for node, place in _places(parsed).items()}
        return {
            nodes[place]: tuple(_moved(site, nodes[place], found.outline, now) for site in sites)
            for place, sites in found.sites.items()
            if place in nodes
        }

    def keep(
        self,
        path: str,
        now: Outline,
        stamps: Mapping[str, object],
        parsed: Parsed,
        sites: Mapping[FunctionNode, Sequence[CallSite]],
    ) -> None:
        """Keep an answer."""
        places = _places(parsed)
        kept = {places[node]: tuple(map(_bare, each)) for node, each in sites.items() if node in places}
        with self._lock:
            self._kept[path] = Found(now, dict(stamps), kept)
            self._kept.move_to_end(path)
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)


def _places(parsed: Parsed) -> dict[FunctionNode, Place]:
    counts: dict[str, int] = {}
    places: dict[FunctionNode, Place] = {}
    for node in statements(parsed.tree.body):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            counts[node.name] = counts.get(node.name, -1) + 1
            places[node] = (node.name, counts[node.name])
    return places


def _bare(site: CallSite) -> CallSite:
    """A site without the scopes it was found in, which would keep whole syntax trees."""
    return replace(site, function=Function(site.function.node, Env()))


def _moved(site: CallSite, node: FunctionNode, before: Outline, now: Outline) -> CallSite:
    line = site.line
    if site.file is None:
        index = bisect.bisect_left(before.lines, line)
        line = now.lines[index] if index < len(now.lines) else line
    return replace(site, function=Function(node, Env()), line=line, compiles=list(site.compiles))
