"""Repairs spans around the passes of one lowering."""

from __future__ import annotations

import logging
import os
from types import TracebackType
from typing import Any

from tilelang.ir import make_span, set_stmt_span

from tilescope_worker.compat.spans import keeps_spans_in_tile_ops
from tilescope_worker.facts.ir import Location, buffer_location, prim_funcs
from tilescope_worker.statements import Statements

from .carry import carry
from .derive import Deriver
from .tree import GROUPING, Node, Tree, checked, tree_of
from .vectorblocks import carry_blocks

logger = logging.getLogger(__name__)

SPAN_SWITCH = "TILELANG_ENABLE_IR_SPAN"
TILE_OP_LOWERINGS = frozenset({"tl.LowerTileOp", "tl.AscendLowerTileOp"})
LOSING_PASSES = TILE_OP_LOWERINGS | {
    "pass_fn",
    "tir.StorageRewrite",
    "tirx.ConvertSSA",
    "tirx.NarrowDataType",
    "tl.AnnotateDeviceRegions",
    "tl.AnnotateReadOnlyParams",
    "tl.AnnotateWarpGroupRegAlloc",
    "tl.AscendLayoutInference",
    "tl.AscendSimdVFLowerParallel",
    "tl.AscendThreadSync",
    "tl.AutoWarpSpecialization",
    "tl.FuseMBarrierArriveExpectTx",
    "tl.InjectFenceProxy",
    "tl.InjectSoftwarePipeline",
    "tl.InsertSync",
    "tl.LayoutInference",
    "tl.LowerBlackwell2SM",
    "tl.LowerHopperIntrin",
    "tl.LowerLDGSTG",
    "tl.LowerOpaqueBlock",
    "tl.LowerScheduledTIR",
    "tl.LowerSharedBarrier",
    "tl.LowerThreadAllreduce",
    "tl.MarkCudaSyncCalls",
    "tl.MaterializeMultiBuffer",
    "tl.MaterializeWSSchedule",
    "tl.MergeIfStmt",
    "tl.MergeSharedMemoryAllocations",
    "tl.MergeUBAllocations",
    "tl.PlanAndUpdateBufferAllocationLocation",
    "tl.ProducerConsumerWarpSpecialized",
    "tl.SplitHostDevice",
    "tl.ThreadSync",
    "tl.UnrollLoop",
    "tl.VectorizeLoop",
}
"""Passes that were seen to lose lines or to add statements, and their kin. Other passes keep what there is; what they
may lose in other versions is repaired after the next of these."""

_PACKED_HOST_FUNCTION = 1
"""Value of the attribute ``calling_conv``: a function that only checks arguments and launches."""


class SpanRepair:
    """Repairs spans as passes lose them; feed it every pass of one lowering, before other observers.

    Use it as a context manager: leaving it restores the environment also when a pass failed.
    """

    def __init__(self) -> None:
        self._switch: list[str | None] = []
        self._broken = False
        self._trees: list[Tree] = []
        self._seen = Statements()
        self._declared: dict[str, Location] = {}
        self.merged: dict[str, tuple[Location, ...]] = {}
        """The lines of the buffers that share an allocation, by its name."""
        self._launch: Location | None = None
        self._started = self._repaired = False
        self._derives = True
        """False once lines are lost that no neighbour can tell: a wrong line is worse than none."""

    def __enter__(self) -> SpanRepair:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Restore the environment; to be called when the lowering is over, however it ended."""
        while self._switch:
            self._restore_switch()
        self._trees.clear()
        self._seen = Statements()

    def pass_started(self, name: str, mod: Any) -> None:
        if name in TILE_OP_LOWERINGS:
            self._switch.append(os.environ.get(SPAN_SWITCH))
            os.environ[SPAN_SWITCH] = "0"
        if not self._started:
            self._started = True
            self._guarded("the kernel", self._read_kernel, mod)

    def pass_finished(self, name: str, before: Any, after: Any) -> None:
        if name in TILE_OP_LOWERINGS and self._switch:
            self._restore_switch()
            self._derives = self._derives and keeps_spans_in_tile_ops()
        if name not in LOSING_PASSES or self._switch or after is before:
            return  # inside the lowering of tile operations, passes see the bodies of TileLang's own macros
        self._guarded(name, self._repair, after)

    def _guarded(self, what: str, work: Any, *args: Any) -> None:
        if self._broken:
            return
        try:
            work(*args)
        except Exception:
            # Lines are an extra: without them the lowering goes on all the same.
            logger.warning("spans could not be repaired at %s", what, exc_info=True)
            self._broken = True

    def _read_kernel(self, mod: Any) -> None:
        self._trees = [tree_of(func.body, self._seen) for func in _functions(mod)]
        for tree in self._trees:
            for node in tree.nodes:
                for buffer in getattr(node.stmt, "alloc_buffers", ()):
                    where = checked(buffer_location(buffer))
                    if where is not None:
                        self._declared.setdefault(str(buffer.name), where)
            self._launch = self._launch or next((node.where for node in tree.nodes if node.where), None)

    def _repair(self, mod: Any) -> None:
        functions = _functions(mod)
        if self._repaired and self._is_known(functions):
            return  # most of these passes find nothing to do in most kernels
        self._repaired = True
        trees = [tree_of(func.body, self._seen) for func in functions]
        lost = [[n for n in tree.nodes if n.where is None and n.kind not in GROUPING] for tree in trees]
        if any(lost):
            kept = {node.stmt for tree in trees for node in tree.nodes}
            for tree, nodes in zip(trees, lost, strict=True):
                for node, where in (*carry(self._trees, nodes, kept), *carry_blocks(self._trees, tree)):
                    node.where = where
                self._note_merged(nodes, kept)
                if self._derives:
                    Deriver(tree, self._declared, self._launch).run([node for node in nodes if node.where is None])
                for node in nodes:
                    if node.where is not None:
                        set_stmt_span(node.stmt, make_span(*node.where))
                        self._seen.of(node.stmt).where = node.where
        self._trees = trees

    def _is_known(self, functions: list[Any]) -> bool:
        """Whether these are the functions that were looked at last, statement for statement."""
        bodies = [tree.nodes[0].stmt for tree in self._trees]
        return len(bodies) == len(functions) and all(
            func.body.same_as(body) for func, body in zip(functions, bodies, strict=True)
        )

    def _note_merged(self, lost: list[Node], kept: set[Any]) -> None:
        """An allocation of shared memory that comes while others of its kind go has taken their place."""
        for node in lost:
            if node.kind != "AllocBuffer" or node.where is not None or str(node.stmt.buffer.name) in self._declared:
                continue
            scope = str(node.stmt.buffer.scope())
            if not scope.startswith("shared"):
                continue
            gone = [
                old
                for tree in self._trees
                for old in tree.nodes
                if old.kind == "AllocBuffer" and old.stmt not in kept and str(old.stmt.buffer.scope()) == scope
            ]
            places = tuple(dict.fromkeys(old.where for old in gone if old.where is not None))
            if places:
                self.merged[str(node.stmt.buffer.name)] = places
                node.where = places[0]

    def _restore_switch(self) -> None:
        value = self._switch.pop()
        if value is None:
            os.environ.pop(SPAN_SWITCH, None)
        else:
            os.environ[SPAN_SWITCH] = value


def _functions(mod: Any) -> list[Any]:
    """The functions whose statements have lines."""
    return [f for f in prim_funcs(mod) if int((f.attrs or {}).get("calling_conv", 0)) != _PACKED_HOST_FUNCTION]
