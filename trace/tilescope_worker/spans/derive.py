"""The line of the statement that one without a line is there for.

Passes add barriers, allocations and branches of their own. The cause of each is found by what it is and where it
stands: a wait belongs to what stands behind it, an arrival to what stands before it, an allocation to its first use.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tvm.tirx.analysis import undefined_vars

from tilescope_worker.facts.ir import Location, buffer_location

from . import barriers
from .operations import (
    BARRIER_FENCE,
    REGISTERS,
    SYNC,
    guards_next,
    guards_previous,
    is_synchronization,
    sets_up_barrier,
    short_name,
)
from .tree import ALLOCATIONS, Node, Tree, checked

_CONTAINERS = frozenset({"For", "While", "IfThenElse", "AttrStmt", "SBlock"})
_THREADS = "thread_extent"


class Deriver:
    """Finds causes in one function. ``declared`` are the lines of the kernel's buffers by name, ``launch`` is the
    line of its ``T.Kernel``."""

    def __init__(self, tree: Tree, declared: Mapping[str, Location], launch: Location | None) -> None:
        self._tree = tree
        self._declared = declared
        self._launch = launch

    def run(self, lost: list[Node]) -> None:
        """Set ``where`` of the nodes of ``lost``; a node whose cause is unknown keeps None.

        Leaves come before the statements around them, and what refers to other added statements comes last.
        """
        leaves = [node for node in lost if node.kind not in _CONTAINERS]
        around = [node for node in reversed(lost) if node.kind in _CONTAINERS]
        for nodes in (leaves, around, leaves, around):
            for node in nodes:
                if node.where is None:
                    node.where = self._cause(node)

    def _cause(self, node: Node) -> Location | None:
        if node.kind in ALLOCATIONS:
            return self._allocation(node)
        if node.kind in _CONTAINERS:
            return self._container(node)
        name = short_name(node.stmt)
        if name == REGISTERS:
            return self._launch
        if sets_up_barrier(node.stmt):
            return _first(barriers.users(node, self._real_or_guards()))
        if name == BARRIER_FENCE or (name == SYNC and self._follows_setup(node)):
            return self._previous(node, synchronization=True)
        if guards_previous(node.stmt):
            return self._previous(node) or self._next(node)
        if guards_next(node.stmt):
            return self._next(node) or self._previous(node)
        if node.kind == "Bind":
            return self._binding(node)
        return self._sole_loop(node) or self._shared_use(node) or self._next(node) or self._previous(node)

    def _allocation(self, node: Node) -> Location | None:
        buffer = node.stmt.buffer
        return (
            checked(buffer_location(buffer))
            or self._declared.get(str(buffer.name))
            or _first(self._tree.by_var.get(buffer.data, ()))
        )

    def _binding(self, node: Node) -> Location | None:
        return self._declared.get(str(node.stmt.var.name)) or _first(self._tree.by_var.get(node.stmt.var, ()))

    def _container(self, node: Node) -> Location | None:
        if node.kind == "AttrStmt" and node.stmt.attr_key == _THREADS:
            return self._launch
        inside = [child for child in self._tree.inside(node) if child.where is not None]
        if not inside:
            return None
        real = [child for child in inside if not is_synchronization(child.stmt)]
        lines = {child.where for child in real or inside}
        if len(lines) > 1 and node.kind == "IfThenElse" and node.stmt.else_case is not None:
            return self._launch  # the branch of producers and consumers: threads of the whole kernel take sides
        return (real or inside)[0].where

    def _sole_loop(self, node: Node) -> Location | None:
        """The line of the loop around, if nothing else in it has a line: they were made together."""
        around = next((parent for parent in self._tree.parents(node) if parent.kind == "For"), None)
        if around is None or any(other.where is not None for other in self._tree.inside(around)):
            return None
        return around.where

    def _shared_use(self, node: Node) -> Location | None:
        """Where else something is used that this statement uses: the copy whose descriptor it prefetches."""
        for var in undefined_vars(node.stmt, []):
            found = _first(other for other in self._tree.by_var.get(var, ()) if other is not node)
            if found is not None:
                return found
        return None

    def _real_or_guards(self) -> list[Node]:
        return [node for node in self._tree.nodes if node.where is not None and not sets_up_barrier(node.stmt)]

    def _follows_setup(self, node: Node) -> bool:
        before = self._siblings(node)[0]
        return bool(before) and any(
            short_name(n.stmt) == BARRIER_FENCE or sets_up_barrier(n.stmt) for n in self._subtree(before[-1])
        )

    def _next(self, node: Node) -> Location | None:
        """The first statement behind this one in its group that does something; else in the groups around."""
        for around in (node, *self._tree.parents(node)):
            for sibling in self._siblings(around)[1]:
                found = _first(n for n in self._subtree(sibling) if not is_synchronization(n.stmt))
                if found is not None:
                    return found
            if self._is_loop_body(around):
                return None
        return None

    def _previous(self, node: Node, synchronization: bool = False) -> Location | None:
        for around in (node, *self._tree.parents(node)):
            for sibling in reversed(self._siblings(around)[0]):
                subtree = reversed(self._subtree(sibling))
                found = _first(n for n in subtree if synchronization or not is_synchronization(n.stmt))
                if found is not None:
                    return found
            if self._is_loop_body(around):
                return None
        return None

    def _siblings(self, node: Node) -> tuple[list[Node], list[Node]]:
        """The statements of the same sequence before and behind this one."""
        if node.parent < 0 or self._tree.nodes[node.parent].kind != "SeqStmt":
            return [], []
        before: list[Node] = []
        behind: list[Node] = []
        index, parent = node.parent + 1, self._tree.nodes[node.parent]
        while index < parent.end:
            sibling = self._tree.nodes[index]
            if index != node.index:
                (before if index < node.index else behind).append(sibling)
            index = sibling.end
        return before, behind

    def _subtree(self, node: Node) -> list[Node]:
        return self._tree.nodes[node.index : node.end]

    def _is_loop_body(self, node: Node) -> bool:
        return node.parent >= 0 and self._tree.nodes[node.parent].kind in ("For", "While")


def _first(nodes: Iterable[Node]) -> Location | None:
    return next((node.where for node in nodes if node.where is not None), None)
