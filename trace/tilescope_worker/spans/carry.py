"""Statements that a pass has rebuilt, found again among those it was given."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import tvm

from tilescope_worker.facts.ir import Location, op_name, tile_op, touched_buffers

from .tree import GROUPING, Node, Tree


def carry(before: Iterable[Tree], lost: list[Node], kept: set[Any]) -> list[tuple[Node, Location]]:
    """The origins of the statements ``lost`` of a module, as far as they are known from the statements of the module
    before. ``kept`` are the statements that are in both: they have no successor among the lost.

    Several statements with the same key are matched in their order where none has come or gone; else they are
    matched only if all came from one line: no line is better than a wrong one.
    """
    wanted: dict[object, list[Node]] = defaultdict(list)
    for node in lost:
        wanted[key_of(node)].append(node)
    known: dict[object, list[Location | None]] = defaultdict(list)
    for tree in before:
        for node in tree.nodes:
            if node.kind not in GROUPING and node.stmt not in kept:
                key = key_of(node)
                if key in wanted:
                    known[key].append(node.where)
    found: list[tuple[Node, Location]] = []
    for key, nodes in wanted.items():
        places = known.get(key, [])
        if len(set(places)) == 1:
            places = places * len(nodes)
        if len(places) == len(nodes):
            found += [(node, where) for node, where in zip(nodes, places, strict=True) if where is not None]
    return found


def key_of(node: Node) -> object:
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
