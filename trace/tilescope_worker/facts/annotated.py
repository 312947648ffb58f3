"""Layouts that a kernel's author, or the front end for them, asks for explicitly."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from tilelang.ir import get_prim_func_span

from tilescope_worker.wire.facts import DecidedBy

from .ir import buffer_location, kernel_bodies, line_in, statements
from .participants import Storage

_CALL = "annotate_layout"
_ACCUMULATOR = "shared.l0c"


class Annotated:
    """The annotations of a fresh PrimFunc from the file ``path``."""

    def __init__(self, func: Any, path: str) -> None:
        self._func = func
        self._path = path

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(str(storage.name) for storage in _storages(self._func.body))

    def storages(self, mod: Any) -> list[Storage]:
        """The storages that have an annotated layout in ``mod``."""
        return list(dict.fromkeys(storage for body in kernel_bodies(mod) for storage in _storages(body)))

    def decision(self, buffer: Any, pass_name: str) -> DecidedBy | None:
        """Who annotated ``buffer``; None where a pass did."""
        name = str(buffer.name)
        if name not in self._names:
            return None
        lines = self._lines(name)
        if not lines and str(buffer.scope()) == _ACCUMULATOR:
            declared = line_in(self._path, buffer_location(buffer))
            at = f" on line {declared}" if declared is not None else ""
            return DecidedBy(pass_name, declared, f"T.alloc_l0c{at} gives an accumulator its one layout")
        line = lines[0] if len(lines) == 1 else None
        at = f" on line {line}" if line is not None else ""
        return DecidedBy(pass_name, line, f"T.annotate_layout{at} asks for it")

    def _lines(self, name: str) -> list[int]:
        """Lines of the calls that annotate ``name``; of all calls where none of them writes the name out."""
        calls = list(self._calls())
        naming = [call for call in calls if name in _keys(call)]
        return [call.lineno for call in naming or calls]

    def _calls(self) -> Iterator[ast.Call]:
        try:
            tree = ast.parse("".join(linecache.getlines(self._path)))
        except SyntaxError:
            return
        span = get_prim_func_span(self._func)
        for node in _functions_around(tree, int(span.line) if span is not None else 0):
            for inner in ast.walk(node):
                if isinstance(inner, ast.Call) and _callee(inner) == _CALL:
                    yield inner


def _storages(body: Any) -> Iterator[Storage]:
    for stmt in statements(body):
        if type(stmt).__name__ != "SBlock" or "layout_map" not in stmt.annotations:
            continue
        for key in stmt.annotations["layout_map"]:
            yield getattr(key, "data", key)


def _functions_around(tree: ast.Module, line: int) -> list[ast.AST]:
    """The innermost function at ``line``; the whole module where there is none."""
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    return [max(around, key=lambda node: node.lineno)] if around else [tree]


def _callee(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _keys(call: ast.Call) -> set[str]:
    return {
        key.id
        for argument in (*call.args, *(keyword.value for keyword in call.keywords))
        if isinstance(argument, ast.Dict)
        for key in argument.keys
        if isinstance(key, ast.Name)
    }
