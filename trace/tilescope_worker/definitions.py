"""Which run-time function a ``def`` of the source became."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Definitions:
    """The ``def``s and classes of a text: first line (that of the first decorator) by (name, line of the ``def``)."""

    path: str
    first_lines: Mapping[tuple[str, int], int]
    nodes: Mapping[tuple[str, int], Any]

    def functions(self, chain: Sequence[tuple[str, int]]) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
        """The functions among the definitions of a chain."""
        found = (self.nodes.get(key) for key in chain)
        return [node for node in found if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]

    def parameters(self, name: str) -> tuple[str, ...]:
        """Parameter names of all functions with that name."""
        found = [node for (other, _), node in self.nodes.items() if other == name]
        return tuple(
            argument.arg
            for node in found
            if not isinstance(node, ast.ClassDef)
            for argument in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        )


def definitions_of(path: str, text: str) -> Definitions:
    """Read the definitions of a text that compiles; raises SyntaxError otherwise."""
    nodes = {
        (node.name, node.lineno): node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
    }
    firsts = {key: min([node.lineno, *(d.lineno for d in node.decorator_list)]) for key, node in nodes.items()}
    return Definitions(path, firsts, nodes)


def is_definition(function: Any, name: str, line: int, definitions: Definitions) -> bool | None:
    """Whether ``function`` is the ``def`` (name, line) of the text; None where that cannot be told (no code object,
    another file, a ``def`` that the text does not have)."""
    code = getattr(function, "__code__", None)
    first = definitions.first_lines.get((name, line))
    if code is None or first is None or code.co_filename != definitions.path:
        return None
    return bool(code.co_name == name and code.co_firstlineno in (first, line))
