"""Source locations that the compiler loses, kept.

Statements of the IR carry the Python line they came from, and some steps of the compiler drop or replace it. What is
repaired here only ever sets spans: they take no part in structural equality, and generated code stays the same.

- Front end: ``T.reduce`` and others are macros of TileLang's own, so their statements get lines of TileLang's files.
  ``keep_user_lines`` gives them the line of the user's call.
- ``tl.LowerTileOp``: instruction sequences are built by macros of TileLang's own. With span stamping off while the
  pass runs, it fills in the line of the tile operation itself.
- Warp specialization and the vector lowering for Ascend rebuild statements without their spans: remembered before,
  put back after.
"""

from __future__ import annotations

import logging
import os
from collections import defaultdict
from types import TracebackType
from typing import Any

from tilelang.ir import get_stmt_span, set_stmt_span

from .facts.ir import Statement, children, is_user_file, kernel_bodies, location, statements, tile_op, touched_buffers

logger = logging.getLogger(__name__)

SPAN_SWITCH = "TILELANG_ENABLE_IR_SPAN"
TILE_OP_LOWERINGS = frozenset({"tl.LowerTileOp", "tl.AscendLowerTileOp"})
REBUILDING_PASSES = frozenset(
    {"tl.AutoWarpSpecialization", "tl.MaterializeWSSchedule", "tl.ProducerConsumerWarpSpecialized"}
)
VECTOR_LOWERING = "tl.AscendSimdVFLowerParallel"
VECTOR_BLOCK = "tl.vf_source_index"

Spans = dict[object, list[Any]]


def keep_user_lines() -> None:
    """Make TileLang's builder give statements of its own macros the line of the user's call.

    Takes effect for every kernel elaborated afterwards in this process; calling it again changes nothing. Where the
    builder of this TileLang version has no span stamping, nothing is done.
    """
    try:
        from tilelang.language.eager import builder

        original = builder.Builder.set_fileline
    except (ImportError, AttributeError):
        logger.info("lines inside TileLang's own macros are not mended: this version has no set_fileline")
        return
    if getattr(original, "keeps_user_lines", False):
        return

    def set_fileline(self: Any, filename: str, lineno: int, name: str) -> None:
        original(self, filename, lineno, name)
        pending = getattr(self, "_span_pending", None)
        if pending is None or is_user_file(filename):
            return
        for caller_file, caller_line, _ in reversed(getattr(self, "macro_fileline_stack", [])):
            if caller_line > 0 and is_user_file(caller_file):
                self._span_pending = (*pending[:2], caller_file, caller_line)
                return

    set_fileline.keeps_user_lines = True  # type: ignore[attr-defined]
    builder.Builder.set_fileline = set_fileline


class SpanRepair:
    """Repairs spans around the passes that lose them; feed it every pass of one lowering, before other observers.

    Use it as a context manager: leaving it restores the environment also when a pass failed.
    """

    def __init__(self) -> None:
        self._remembered: list[tuple[str, Spans]] = []
        self._switch: list[str | None] = []

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
        self._remembered.clear()

    def pass_started(self, name: str, mod: Any) -> None:
        if name in TILE_OP_LOWERINGS:
            self._switch.append(os.environ.get(SPAN_SWITCH))
            os.environ[SPAN_SWITCH] = "0"
        elif name in REBUILDING_PASSES:
            self._remembered.append((name, _guarded(_remember, mod)))
        elif name == VECTOR_LOWERING:
            self._remembered.append((name, _guarded(_remember_vector_blocks, mod)))

    def pass_finished(self, name: str, before: Any, after: Any) -> None:
        if name in TILE_OP_LOWERINGS and self._switch:
            self._restore_switch()
            return
        if not self._remembered or self._remembered[-1][0] != name:
            return
        _, spans = self._remembered.pop()
        if after is before or not spans:
            return
        restore = _restore_vector_blocks if name == VECTOR_LOWERING else _restore
        try:
            restore(after, spans)
        except Exception:
            logger.warning("spans could not be restored after %s", name, exc_info=True)

    def _restore_switch(self) -> None:
        value = self._switch.pop()
        if value is None:
            os.environ.pop(SPAN_SWITCH, None)
        else:
            os.environ[SPAN_SWITCH] = value


def _guarded(remember: Any, mod: Any) -> Spans:
    try:
        spans: Spans = remember(mod)
    except Exception:
        logger.warning("spans could not be read", exc_info=True)
        return {}
    return spans


def _key(stmt: Statement) -> object | None:
    """What a statement is known by across a pass that rebuilds it: kind and buffers of a tile operation (a copy may
    become a TMA copy and gain a barrier), name and extent of a loop. None for what passes do not rebuild."""
    op = tile_op(stmt)
    if op is not None:
        return ("copy" if op.endswith("copy") else op, touched_buffers(stmt.value, without_scope="shared.barrier"))
    if hasattr(stmt, "loop_var"):
        return ("loop", stmt.loop_var.name, str(stmt.extent))
    return None


def _remember(mod: Any) -> Spans:
    spans: Spans = defaultdict(list)
    for body in kernel_bodies(mod):
        for stmt in statements(body):
            key = _key(stmt)
            if key is not None:
                spans[key].append(get_stmt_span(stmt))
    return spans


def _restore(mod: Any, spans: Spans) -> None:
    found: dict[object, list[Statement]] = defaultdict(list)
    for body in kernel_bodies(mod):
        for stmt in statements(body):
            key = _key(stmt)
            if key in spans:
                found[key].append(stmt)
    for key, stmts in found.items():
        known = spans[key]
        same_line = len({(span.source_name.name, span.line) if span else None for span in known}) == 1
        if not same_line and len(known) != len(stmts):
            continue  # which of the statements is which is not known: no line is better than a wrong one
        for index, stmt in enumerate(stmts):
            span = known[0] if same_line else known[index]
            if span is not None and get_stmt_span(stmt) is None:
                set_stmt_span(stmt, span)


def _vector_blocks(mod: Any) -> dict[object, Statement]:
    blocks: dict[object, Statement] = {}
    for body in kernel_bodies(mod):
        for stmt in statements(body):
            annotations = getattr(stmt, "annotations", None)
            if annotations and VECTOR_BLOCK in annotations:
                blocks[int(annotations[VECTOR_BLOCK])] = stmt
    return blocks


def _outer_loops(stmt: Statement) -> list[Statement]:
    if hasattr(stmt, "loop_var"):
        return [stmt]
    return [loop for child in children(stmt) for loop in _outer_loops(child)]


def _remember_vector_blocks(mod: Any) -> Spans:
    return {
        index: [get_stmt_span(loop) for loop in _outer_loops(block)] for index, block in _vector_blocks(mod).items()
    }


def _restore_vector_blocks(mod: Any, spans: Spans) -> None:
    for index, block in _vector_blocks(mod).items():
        known = spans.get(index, [])
        if len(known) == 1:
            targets = [(block.body, known[0])]
        else:
            loops = _outer_loops(block)
            targets = list(zip(loops, known, strict=True)) if len(loops) == len(known) else []
        for root, span in targets:
            for stmt in statements(root):
                if span is not None and location(stmt) is None:
                    set_stmt_span(stmt, span)
