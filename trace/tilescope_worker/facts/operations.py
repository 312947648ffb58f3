"""The tile-level statements of a kernel, in program order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from tilescope_worker.wire.facts import Json, Operation, OperationKind

from . import copies, loops, pipeline, tileops
from .ir import (
    Location,
    buffer_location,
    children,
    is_user_file,
    line_in,
    location,
    region_buffer,
    statements,
    tile_op,
)


@dataclass(frozen=True)
class Draft:
    """An operation under way: ``home`` is its own line, ``places`` all lines whose lowered statements are its own,
    ``feeds`` the buffers that a pipeline's copies fill."""

    operation: Operation
    home: Location | None
    places: frozenset[Location] = frozenset()
    feeds: frozenset[str] = field(default_factory=frozenset)


def read(func: Any, path: str) -> tuple[Draft, ...]:
    """The tile operations and loops of a fresh PrimFunc that its author wrote."""
    stand_ins = _stand_ins(func)
    return tuple(_named_by_author(draft, stand_ins) for draft in _read(func.body, path))


def _read(stmt: Any, path: str) -> Iterator[Draft]:
    name = tile_op(stmt)
    if name is not None:
        if not _is_helper(name, stmt.value):
            yield _draft(*tileops.read(name, stmt.value), stmt, path)
        return
    if type(stmt).__name__ == "For" and stmt.thread_binding is None:
        yield from _loop(stmt, path)
        if loops.is_parallel(stmt):
            return
    elif type(stmt).__name__ == "Evaluate" and tileops.atomic_name(stmt.value):
        yield _draft("atomic", tileops.read_atomic(stmt.value), stmt, path)
    for child in children(stmt):
        yield from _read(child, path)


def _loop(loop: Any, path: str) -> Iterator[Draft]:
    where = location(loop)
    if where is None or not is_user_file(where.file):
        return
    if loops.is_parallel(loop):
        inside = list(statements(loop))
        lines = frozenset(line for line in map(location, inside) if line is not None)
        yield Draft(_operation("parallel", loops.read_parallel(loop), where, path), where, lines)
        for stmt in inside:
            if type(stmt).__name__ == "Evaluate" and tileops.atomic_name(stmt.value):
                yield _draft("atomic", tileops.read_atomic(stmt.value), stmt, path)
    elif pipeline.is_pipelined(loop):
        yield Draft(_operation("pipeline", pipeline.read(loop), where, path), where, feeds=_filled(loop))
    else:
        yield Draft(_operation("loop", loops.read_plain(loop), where, path), where)


def _filled(loop: Any) -> frozenset[str]:
    names = set()
    for stmt in statements(loop.body):
        name = tile_op(stmt)
        if name is not None and name.endswith("copy"):
            buffer = region_buffer(stmt.value.args[1])
            if buffer is not None:
                names.add(str(buffer.name))
    return frozenset(names)


def _draft(kind: OperationKind, detail: dict[str, Json], stmt: Any, path: str) -> Draft:
    where = location(stmt)
    if where is None or not is_user_file(where.file):
        return Draft(Operation(kind=kind, line=None, detail=detail), None)
    return Draft(_operation(kind, detail, where, path), where, frozenset({where}))


def _operation(kind: OperationKind, detail: dict[str, Json], where: Location, path: str) -> Operation:
    line = line_in(path, where)
    if line is None:  # a macro imported from another file
        detail = detail | {"defined_in": {"file": where.file, "line": where.line}}
    return Operation(kind=kind, line=line, detail=detail)


def _is_helper(name: str, call: Any) -> bool:
    """Whether a copy is part of a macro of TileLang's own: it moves data through a buffer allocated there."""
    return name.endswith("copy") and any(_is_internal(buffer) for buffer in _buffers(call))


def _buffers(call: Any) -> list[Any]:
    return [buffer for buffer in map(region_buffer, call.args) if buffer is not None]


def _is_internal(buffer: Any) -> bool:
    where = buffer_location(buffer)
    return where is not None and not is_user_file(where.file)


def _stand_ins(func: Any) -> dict[str, Any]:
    """The author's buffer for each buffer that a macro of TileLang's own copies it to or from, by name."""
    found = {}
    for stmt in statements(func.body):
        name = tile_op(stmt)
        if name is not None and _is_helper(name, stmt.value):
            internal = [buffer for buffer in _buffers(stmt.value) if _is_internal(buffer)]
            outer = [buffer for buffer in _buffers(stmt.value) if not _is_internal(buffer)]
            if len(internal) == len(outer) == 1:
                found[str(internal[0].name)] = outer[0]
    return found


def _named_by_author(draft: Draft, stand_ins: dict[str, Any]) -> Draft:
    if draft.operation.kind not in ("reduce", "other"):
        return draft
    detail = dict(draft.operation.detail)
    for role in ("src", "dst"):
        buffer = stand_ins.get(detail.get(role, ""))
        if buffer is not None:
            detail |= copies.named(role, buffer)
    return replace(draft, operation=replace(draft.operation, detail=detail))
