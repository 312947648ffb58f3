"""Vector blocks of Ascend kernels, whose loops and stores are rebuilt as vector instructions.

Blocks keep a number. Inside, the loops and the stores are still in their order; what computes a stored value is
found through its use, as for any binding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tilescope_worker.facts.ir import Location, as_int

from .operations import short_name
from .tree import Node, Tree

_NUMBER = "tl.vf_source_index"
_STORES = ("vsts", "vsst", "vscatter", "pst")


def carry_blocks(before: Iterable[Tree], tree: Tree) -> list[tuple[Node, Location]]:
    """The origins of loops and stores in the vector blocks of ``tree`` that have none."""
    known = {number: (tree, block) for tree in before for number, block in _blocks(tree)}
    found: list[tuple[Node, Location]] = []
    for number, block in _blocks(tree):
        if number not in known:
            continue
        old_tree, old = known[number]
        if all(node.where is not None or node.kind != "Evaluate" for node in tree.inside(block)):
            continue
        found += _matched(_outer_loops(old_tree.inside(old)), _outer_loops(tree.inside(block)))
        found += _matched(
            [node for node in old_tree.inside(old) if node.kind == "BufferStore"],
            [node for node in tree.inside(block) if short_name(node.stmt).startswith(_STORES)],
        )
    return found


def _blocks(tree: Tree) -> Iterator[tuple[int, Node]]:
    for node in tree.nodes:
        number = as_int(getattr(node.stmt, "annotations", {}).get(_NUMBER)) if node.kind == "SBlock" else None
        if number is not None:
            yield number, node


def _outer_loops(nodes: list[Node]) -> list[Node]:
    found: list[Node] = []
    for node in nodes:
        if node.kind == "For" and (not found or node.index >= found[-1].end):
            found.append(node)
    return found


def _matched(old: list[Node], new: list[Node]) -> list[tuple[Node, Location]]:
    places = [node.where for node in old]
    if len(set(places)) == 1:
        places = places[:1] * len(new)
    if len(places) != len(new):
        return []
    return [(node, where) for node, where in zip(new, places, strict=True) if node.where is None and where]
