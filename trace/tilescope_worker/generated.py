"""The Python lines of generated source, line by line.

The code generator runs a second time on a marked copy of what it ran on (`marks`), so that this works for each
language it writes and needs no reading of the source. Statements have their lines from the repaired spans.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import tvm
from tilelang.ir import get_prim_func_span
from tvm.tirx.analysis import undefined_vars

from .compat import generate_source
from .elaborate import Elaborated
from .facts.ir import Location, buffer_location
from .marks import Calls, Directives, Generate, Marked, Owner, Style, generate_marked
from .observe import Observer
from .roles import LAUNCH, Roles
from .spans import barriers
from .spans.operations import is_synchronization, sets_up_barrier
from .spans.tree import ALLOCATIONS, Node, Tree, checked
from .wire.messages import GeneratedLine

logger = logging.getLogger(__name__)

_UNKNOWN = "lines of the generated source are not known: it differs when it is generated again"


@dataclass(frozen=True)
class LineTable:
    """``files`` and ``lines`` as in the message Generated; ``problem`` says why there are none."""

    files: tuple[str, ...] = ()
    lines: tuple[GeneratedLine, ...] = ()
    problem: str | None = None


def lowered_lines(
    made: Elaborated, observer: Observer, artifact: Any, target: Any, merged: Mapping[str, tuple[Location, ...]]
) -> LineTable:
    """The lines of the source of ``artifact``, whose lowering ``observer`` has seen; see `line_table`."""
    target = getattr(artifact, "target", None) or target  # with the host target, which the C source names

    def generate(mod: Any, configs: dict[str, Any]) -> str:
        with tvm.transform.PassContext(opt_level=3, config={**made.pass_configs, **configs}), target:
            return generate_source(mod, target)

    last = next((run.after for run in reversed(observer.runs) if run.depth == 0), None)
    if last is None:
        return LineTable(problem=_UNKNOWN)
    return line_table(last.module, str(artifact.kernel_source or ""), generate, made.func, merged)


def line_table(
    mod: Any, source: str, generate: Generate, kernel: Any, merged: Mapping[str, tuple[Location, ...]]
) -> LineTable:
    """The lines of ``source``, which was generated from ``mod``.

    ``kernel`` is the PrimFunc as it was written, ``merged`` are the lines of the buffers that share an allocation,
    by its name. Never raises: what cannot be told is named in ``problem``.
    """
    marked = _marked(mod, source, generate)
    if marked is None:
        return LineTable(problem=_UNKNOWN)
    places = _Places(kernel, merged)
    files: dict[str, int] = {}
    lines = []
    for number, (text, owner) in enumerate(zip(source.split("\n"), marked.owners, strict=True), 1):
        if owner is None or not text.strip():
            continue
        origins, role = places.of(owner)
        if origins:
            found = tuple((files.setdefault(file, len(files)), line) for file, line in origins)
            lines.append(GeneratedLine(number, found, role))
    return LineTable(tuple(files), tuple(lines))


def _marked(mod: Any, source: str, generate: Generate) -> Marked | None:
    styles: tuple[Style, ...] = (Calls(), Directives())
    for style in styles:
        try:
            marked = generate_marked(mod, generate, style)
        except Exception:
            logger.info("generated source: marks as %s failed", type(style).__name__, exc_info=True)
            continue
        if marked.text == source and any(owner is not None and owner.node is not None for owner in marked.owners):
            return marked
    return None


class _Places:
    """Origins and roles, found once for each statement."""

    def __init__(self, kernel: Any, merged: Mapping[str, tuple[Location, ...]]) -> None:
        self._merged = merged
        self._signature = _signature(kernel)
        self._roles: dict[int, Roles] = {}
        self._known: dict[tuple[int, int], tuple[tuple[Location, ...], str | None]] = {}

    def of(self, owner: Owner) -> tuple[tuple[Location, ...], str | None]:
        if owner.node is None:
            return _distinct([*self._signature, *_parameter_uses(owner)]), LAUNCH
        key = (id(owner.tree), owner.node.index)
        if key not in self._known:
            if id(owner.tree) not in self._roles:
                self._roles[id(owner.tree)] = Roles(owner.tree)
            role = self._roles[id(owner.tree)].of(owner.node)
            self._known[key] = (self._origins(owner.tree, owner.node), role)
        return self._known[key]

    def _origins(self, tree: Tree, node: Node) -> tuple[Location, ...]:
        """All lines a statement came from, the one that causes it first."""
        if node.where is None:
            return ()
        if node.kind in ALLOCATIONS:
            merged = self._merged.get(str(node.stmt.buffer.name))
            if merged is not None:
                return merged
            # One of the compiler's own has the line of its first use.
            uses = _lines(tree.by_var.get(node.stmt.buffer.data, ()))
            return _distinct([node.where, *uses]) if node.where in uses else (node.where,)
        if sets_up_barrier(node.stmt):
            return _distinct([node.where, *_lines(barriers.users(node, tree.nodes))])
        if is_synchronization(node.stmt):
            return _distinct([node.where, *_lines(_loops_used(tree, node))])
        inside = tree.inside(node)
        if inside and inside[0].kind == "SeqStmt" and getattr(node.stmt, "else_case", None) is None:
            # A branch of the compiler's own has the line of the first of the statements it is for.
            parts = [n for n in inside[1:] if n.parent == inside[0].index and not is_synchronization(n.stmt)]
            if parts and parts[0].where == node.where:
                return _distinct([node.where, *_lines(parts)])
        return (node.where,)


def _signature(kernel: Any) -> tuple[Location, ...]:
    """The lines of a kernel's ``def`` and of its parameters."""
    span = get_prim_func_span(kernel)
    start = Location(span.source_name.name, int(span.line)) if span is not None else None
    parameters = [buffer_location(kernel.buffer_map[p]) for p in kernel.params if p in kernel.buffer_map]
    return _distinct([where for where in map(checked, [start, *parameters]) if where is not None])


def _parameter_uses(owner: Owner) -> list[Location]:
    """The lines of the statements that use a parameter: it has one, or a TMA descriptor of one, because of them."""
    return [where for param in owner.function.params for where in _lines(owner.tree.by_var.get(param, ()))]


def _loops_used(tree: Tree, node: Node) -> list[Node]:
    """The loops around a statement whose variables it uses: a barrier's number and phase come from them."""
    used = list(undefined_vars(node.stmt, []))
    loops = [parent for parent in tree.parents(node) if parent.kind == "For"]
    return [loop for loop in loops if any(loop.stmt.loop_var.same_as(var) for var in used)]


def _lines(nodes: Iterable[Node]) -> list[Location]:
    return [node.where for node in nodes if node.where is not None]


def _distinct(places: Iterable[Location]) -> tuple[Location, ...]:
    return tuple(dict.fromkeys(places))
