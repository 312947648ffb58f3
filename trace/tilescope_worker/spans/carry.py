"""Statements that a pass has rebuilt, found again among those it was given."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

import tvm

from tilescope_worker.facts.ir import Location, op_name, tile_op, touched_buffers

from .tree import GROUPING, Node, Tree


def carry(before: Iterable[Tree], lost: list[Node], kept: set[Any]) -> list[tuple[Node, Location]]:
    """The origins of the statements ``lost`` of a module, as far as they are known from the statements of the module
    before. ``kept`` are the statements that are in both: they have no successor among the lost.

    Statements are matched by their exact keys, then those that are left by what a changed operand leaves of them.
    """
    gone = [n for tree in before for n in tree.nodes if n.kind not in GROUPING and n.stmt not in kept]
    found: list[tuple[Node, Location]] = []
    for key in (_exact_key, _rough_key):
        matched = _match(gone, lost, key)
        found += [(new, old.where) for new, old in matched if old.where is not None]
        done = {node.index for node, _ in matched}
        used = {id(node) for _, node in matched}
        lost = [node for node in lost if node.index not in done]
        gone = [node for node in gone if id(node) not in used]
    return found


def _match(gone: list[Node], lost: list[Node], key_of: Callable[[Node], object]) -> list[tuple[Node, Node]]:
    """Pairs of a new statement and one it was made of. Several with the same key are matched in their order where
    none has come or gone, else only if all came from one line: no line is better than a wrong one."""
    wanted: dict[object, list[Node]] = defaultdict(list)
    for node in lost:
        wanted[key_of(node)].append(node)
    known: dict[object, list[Node]] = defaultdict(list)
    for node in gone:
        key = key_of(node)
        if key in wanted:
            known[key].append(node)
    found: list[tuple[Node, Node]] = []
    for key, nodes in wanted.items():
        olds = known.get(key, [])
        if len(olds) == len(nodes):
            found += zip(nodes, olds, strict=True)
        elif len({old.where for old in olds}) == 1:
            found += ((node, olds[0]) for node in nodes)
    return found


def _rough_key(node: Node) -> object:
    if node.kind == "Evaluate" and tile_op(node.stmt) is None:
        return ("call", op_name(node.stmt.value))
    return ("exact", _exact_key(node))


def _exact_key(node: Node) -> object:
    """What a statement is known by across a pass that rebuilds it: its kind, and what of it such passes keep."""
    stmt = node.stmt
    if node.kind == "Evaluate":
        op = tile_op(stmt)
        if op is not None:
            # A copy may become a TMA copy and gain a barrier.
            name = "copy" if op.endswith("copy") else op
            return (name, touched_buffers(stmt.value, without_scope="shared.barrier"))
        return ("call", op_name(stmt.value), _structure(stmt.value))
    if node.kind == "For":
        return ("For", str(stmt.loop_var.name))
    if node.kind == "IfThenElse":
        return ("IfThenElse", _structure(stmt.condition))
    if node.kind == "BufferStore":
        return ("BufferStore", str(stmt.buffer.name))
    if node.kind == "Bind":
        return ("Bind", str(stmt.var.name))
    if node.kind in ("AllocBuffer", "DeclBuffer"):
        return ("AllocBuffer", str(stmt.buffer.name))
    if node.kind == "AttrStmt":
        return ("AttrStmt", str(stmt.attr_key))
    if node.kind == "SBlock":
        return ("SBlock", str(stmt.name_hint))
    return node.kind


def _structure(expression: Any) -> int:
    return int(tvm.ir.structural_hash(expression, map_free_vars=True))
