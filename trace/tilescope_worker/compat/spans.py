"""Source locations of IR nodes, and the printer that can tell its lines apart."""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def _reader() -> Any:
    try:
        from tilelang.ir import get_stmt_span
    except ImportError:
        return None
    return get_stmt_span


def has_spans() -> bool:
    """Whether statements carry the Python line they came from (0.1.13 and later)."""
    return _reader() is not None


def keeps_spans_in_tile_ops() -> bool:
    """Whether the instructions that a tile operation becomes keep its line (not in 0.1.13)."""
    from tilelang import ir

    return hasattr(ir, "stamp_stmt_spans")


def location_of(statement: Any) -> tuple[str, int] | None:
    """(absolute path, line) of a statement, None where the compiler lost it."""
    reader = _reader()
    span = reader(statement) if reader is not None else None
    if span is None:
        return None
    line = span.line
    return (span.source_name.name, line) if line > 0 else None


def annotated_script(module: Any, marks: dict[Any, str]) -> str:
    """The module as TVMScript, each statement of ``marks`` followed or preceded by its mark as a comment."""
    return str(module.script(obj_to_annotate=marks))
