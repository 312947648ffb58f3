"""Where the parameters of functions stand in a text, for hints that say what they are."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tilescope_trace.source.per_node import per_node


@dataclass(frozen=True)
class Parameter:
    """``line`` and ``end_column`` (1-based, code points, exclusive) are where its name, annotation and default end;
    ``annotation`` and ``default`` are their source, None where it has none."""

    name: str
    line: int
    end_column: int
    annotation: str | None
    default: str | None


@functools.lru_cache(maxsize=16)
def parameters(text: str) -> Mapping[str, tuple[Parameter, ...]]:
    """The parameters of each function of a text by its qualified name (``matmul.main``), without those of broken
    statements. Kept: hints are made at every stage, and the text does not change between."""
    from tilescope_trace.source.tolerant import parse  # slow to import: not at every start

    tree = parse(text).tree
    # What Python's parser counts as lines: neither form feeds nor Unicode separators end one.
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return {name: found for statement in tree.body for name, found in _of_statement(statement, lines)}


@per_node
def _of_statement(statement: ast.stmt, lines: list[str]) -> tuple[tuple[str, tuple[Parameter, ...]], ...]:
    """Those of a statement at module level."""
    return tuple(_functions(ast.Module([statement], []), lines, ""))


def _functions(node: ast.AST, lines: list[str], prefix: str) -> Iterator[tuple[str, tuple[Parameter, ...]]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield prefix + child.name, tuple(_parameters(child.args, lines))
            yield from _functions(child, lines, f"{prefix}{child.name}.")
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, lines, f"{prefix}{child.name}.")
        elif isinstance(child, ast.stmt):
            yield from _functions(child, lines, prefix)


def _parameters(arguments: ast.arguments, lines: list[str]) -> Iterator[Parameter]:
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(arguments.defaults))
    defaults += [*arguments.defaults, *arguments.kw_defaults]
    for one, default in zip([*plain, *arguments.kwonlyargs], defaults, strict=True):
        last: ast.arg | ast.expr = default or one
        line, end = last.end_lineno or one.lineno, last.end_col_offset or 0
        column = len(lines[line - 1].encode()[:end].decode("utf-8", "replace")) + 1
        annotation = ast.unparse(one.annotation) if one.annotation is not None else None
        yield Parameter(one.arg, line, column, annotation, ast.unparse(default) if default is not None else None)
