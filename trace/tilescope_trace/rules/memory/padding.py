"""Longer rows for a shared buffer, as an edit where that is sure."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tilescope_trace.rules.check import Subject
from tilescope_trace.rules.fixes import callee, node_replaced
from tilescope_worker.wire.facts import Buffer, Fix


def padded(subject: Subject, buffer: Buffer | None, padding: int | None) -> Fix | None:
    """The edit that makes each row ``padding`` elements longer; None where the text does not show that only single
    elements of the buffer are used, at indices: a tile operation on all of it would have another shape then."""
    if buffer is None or buffer.line is None or padding is None or subject.tree is None:
        return None
    function = _function(subject.tree, buffer.line)
    shape = _shape(function, buffer) if function is not None else None
    if function is None or shape is None or not _elements_only(function, buffer.name):
        return None
    last = shape.elts[-1]
    written = ast.get_source_segment(subject.text, last)
    if written is None:
        return None
    if isinstance(last, ast.Constant) and isinstance(last.value, int):
        text = str(last.value + padding)
    else:
        simple = isinstance(last, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))
        text = f"{written} + {padding}" if simple else f"({written}) + {padding}"
    return Fix(f"make the rows of {buffer.name} {padding} longer", (node_replaced(subject.text, last, text),))


def _function(tree: ast.Module, line: int) -> ast.FunctionDef | None:
    """The innermost function around ``line``."""
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return max(found, key=lambda node: node.lineno, default=None)


def _shape(function: ast.FunctionDef, buffer: Buffer) -> ast.Tuple | None:
    """The shape written where the buffer is allocated, by the only assignment to its name."""
    bound = [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and node.id == buffer.name and isinstance(node.ctx, ast.Store)
    ]
    if len(bound) != 1:
        return None
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and bound[0] in node.targets and isinstance(node.value, ast.Call):
            first = node.value.args[0] if node.value.args else None
            if callee(node.value) == "alloc_shared" and isinstance(first, ast.Tuple) and len(first.elts) > 1:
                return first
    return None


def _elements_only(function: ast.FunctionDef, name: str) -> bool:
    """Whether all uses of ``name`` are elements at indices, outside of calls."""
    inside = set(_in_calls(function))
    uses = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == name]
    indexed = {
        id(node.value)
        for node in ast.walk(function)
        if isinstance(node, ast.Subscript) and id(node) not in inside and not _has_slice(node)
    }
    return all(id(use) in indexed for use in uses if not isinstance(use.ctx, ast.Store))


def _has_slice(node: ast.Subscript) -> bool:
    return any(isinstance(part, ast.Slice) for part in ast.walk(node.slice))


def _in_calls(function: ast.FunctionDef) -> Iterator[int]:
    """Identities of the arguments of calls, which may take a buffer from an element on."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
                yield id(argument)
