"""The part that statements of a lowered kernel play, read off the structure of its IR.

- ``barrier``: orders other statements and moves no data;
- ``allocation``: declares memory;
- ``producer`` and ``consumer``: the sides of a warp-specialized kernel; in other kernels what in the main loop
  fetches data, and the rest of it, while the loop itself is ``loop``;
- ``prologue`` and ``epilogue``: before and behind the main loop;
- ``launch``: the signature, the branch that tells the sides apart, the registers they ask for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .facts.instructions import instruction_name
from .facts.ir import Expression, op_name, operands
from .spans.operations import REGISTERS, is_synchronization, short_name
from .spans.tree import ALLOCATIONS, Node, Tree

LAUNCH = "launch"
_LOADS = frozenset({"tma_load", "cp_async", "dma"})
_COMPUTES = frozenset({"wgmma", "mma", "tcgen05", "mfma", "wmma", "simdgroup", "cube"})
_WAIT = "mbarrier_wait_parity"


class Roles:
    """The roles in one function."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._names = [frozenset(_instructions(node)) for node in tree.nodes]
        self._orders = [is_synchronization(node.stmt) for node in tree.nodes]
        self._branch = next((node for node in tree.nodes if self._splits(node)), None)
        self._producer = self._producer_case()
        self._loops = list(self._main_loops())

    def of(self, node: Node) -> str | None:
        """The role of a statement; None in a kernel without a main loop, where there are no parts to tell apart."""
        if node.kind in ALLOCATIONS or (node.kind == "Bind" and str(node.stmt.var.dtype) == "handle"):
            return "allocation"
        if self._only_orders(node):
            return "barrier"
        if node is self._branch or short_name(node.stmt) == REGISTERS:
            return LAUNCH
        side = self._side(node)
        loops = [loop for loop in self._loops if side is None or self._side(loop) in (None, side)]
        if not loops:
            return side
        if node.end <= loops[0].index:
            return "prologue"
        if node.index >= loops[-1].end:
            return "epilogue"
        if side is not None:
            return side
        if node in loops:
            return "loop"
        return "producer" if self._fetches(node) else "consumer"

    def _main_loops(self) -> Iterator[Node]:
        """Loops of the user's that synchronize or use a matrix unit and are not inside another such loop."""
        end = 0
        for node in self._tree.nodes:
            if node.kind not in ("For", "While") or node.index < end:
                continue
            inside = range(node.index + 1, node.end)
            works = any(self._orders[i] or self._names[i] & _COMPUTES for i in inside)
            # The loops that a tile operation became have nothing but its line in them.
            if works and any(n.where not in (None, node.where) for n in self._tree.inside(node)):
                end = node.end
                yield node

    def _splits(self, node: Node) -> bool:
        """Whether a branch is that of producers and consumers: both wait for barriers."""
        if node.kind != "IfThenElse" or node.stmt.else_case is None:
            return False
        return all(any(short_name(self._tree.nodes[i].stmt) == _WAIT for i in case) for case in self._cases(node))

    def _cases(self, node: Node) -> tuple[range, range]:
        """The indices of the statements of the two cases of a branch."""
        first = self._tree.nodes[node.index + 1]
        return range(first.index, first.end), range(first.end, node.end)

    def _producer_case(self) -> range | None:
        if self._branch is None:
            return None
        one, other = self._cases(self._branch)
        computes = any(self._names[i] & _COMPUTES for i in one)
        fetches = any(self._names[i] & _LOADS for i in one)
        return one if fetches and not computes else other

    def _side(self, node: Node) -> str | None:
        """Which side of a warp-specialized kernel a statement is on."""
        if self._branch is None or self._producer is None or not self._branch.index < node.index < self._branch.end:
            return None
        return "producer" if node.index in self._producer else "consumer"

    def _only_orders(self, node: Node) -> bool:
        """Whether a statement, or all there is inside it, orders others."""
        leaves = [n for n in self._tree.nodes[node.index : node.end] if n.end == n.index + 1]
        return all(self._orders[leaf.index] for leaf in leaves)

    def _fetches(self, node: Node) -> bool:
        """Whether the operation that a statement belongs to brings data from global memory."""
        whole = node
        for parent in self._tree.parents(node):
            if parent in self._loops:
                break
            if parent.where == node.where:
                whole = parent
        inside = range(whole.index, whole.end)
        if any(self._names[i] & _LOADS for i in inside):
            return True
        computes = any(self._names[i] & _COMPUTES for i in inside)
        return not computes and any(_stores_from_global(self._tree.nodes[i]) for i in inside)


def _instructions(node: Node) -> Iterator[str]:
    if node.kind in ("Evaluate", "BufferStore", "Bind"):
        yield from _names(node.stmt.value)


def _names(expression: Expression) -> Iterator[str]:
    name = instruction_name(op_name(expression))
    if name is not None:
        yield name
    for operand in operands(expression):
        yield from _names(operand)


def _stores_from_global(node: Node) -> bool:
    """Whether a store to shared memory takes its value straight from global memory."""
    if node.kind != "BufferStore" or not str(node.stmt.buffer.scope()).startswith("shared"):
        return False
    return any(str(buffer.scope()) == "global" for buffer in _loaded(node.stmt.value))


def _loaded(expression: Expression) -> Iterator[Any]:
    if type(expression).__name__ == "BufferLoad":
        yield expression.buffer
    for operand in operands(expression):
        yield from _loaded(operand)
