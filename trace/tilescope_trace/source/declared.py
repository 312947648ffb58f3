"""Shapes as annotations of tensors declare them."""

from __future__ import annotations

import ast

from .evaluate import Evaluator
from .values import UNKNOWN, Env, Tensor, Value


def declared_shape(annotation: ast.expr | None) -> list[ast.expr]:
    """The extents of ``T.Tensor((M, N), dtype)`` or ``T.Tensor[[M, N], dtype]``."""
    shape: ast.expr | None = None
    if isinstance(annotation, ast.Call):
        shape = next((k.value for k in annotation.keywords if k.arg == "shape"), None)
        shape = annotation.args[0] if annotation.args else shape
    elif isinstance(annotation, ast.Subscript):
        shape = annotation.slice
        if isinstance(shape, ast.Tuple) and shape.elts and isinstance(shape.elts[0], (ast.Tuple, ast.List)):
            shape = shape.elts[0]
        elif isinstance(shape, ast.Tuple) and len(shape.elts) > 1:
            return shape.elts[:-1]
    if isinstance(shape, (ast.Tuple, ast.List)):
        return shape.elts
    return [] if shape is None else [shape]


def declared_tensor(annotation: ast.expr | None, scope: Env, evaluator: Evaluator) -> Value:
    """The tensor that an annotation declares, as far as the scope tells its shape and type."""
    if isinstance(annotation, ast.Call):
        node = annotation.args[0] if annotation.args else None
        kind = next((k.value for k in annotation.keywords if k.arg == "dtype"), None)
        kind = annotation.args[1] if len(annotation.args) > 1 else kind
    elif isinstance(annotation, ast.Subscript) and isinstance(annotation.slice, ast.Tuple):
        node, kind = annotation.slice.elts[0], annotation.slice.elts[-1]
    else:
        return UNKNOWN
    shape = evaluator.value(node, scope)
    if not isinstance(shape, (tuple, list)):
        shape = tuple(evaluator.value(extent, scope) for extent in declared_shape(annotation))
    return Tensor(tuple(shape), evaluator.value(kind, scope), True)
