"""Where the parameters of functions stand in a text, for hints that say what they are."""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tilescope_trace.source.per_node import per_node

if TYPE_CHECKING:
    from tilescope_trace.source.tolerant import Parsed


@dataclass(frozen=True)
class Parameter:
    """``line`` and ``end_column`` (1-based, code points, exclusive) are where its name, annotation and default end;
    ``annotation`` and ``default`` are their source, None where it has none."""

    name: str
    line: int
    end_column: int
    annotation: str | None
    default: str | None


@dataclass(frozen=True, eq=False)
class Places:
    """The parameters of functions by qualified name (``matmul.main``) as they were read; ``line`` says where a line
    of theirs is now."""

    _found: Mapping[str, tuple[Parameter, ...]] = field(default_factory=dict)
    _line: Callable[[int], int] = int

    def get(self, name: str) -> tuple[Parameter, ...]:
        """Those of one function; none where there is no such function."""
        return tuple(replace(one, line=self._line(one.line)) for one in self._found.get(name, ()))

    def lines(self, name: str) -> tuple[int, ...]:
        """The first line and the last one on which a function has parameters."""
        found = self._found.get(name, ())
        return (self._line(found[0].line), self._line(found[-1].line)) if found else ()


@functools.lru_cache(maxsize=16)
def parameters(text: str) -> Places:
    """The parameters of each function of a text, without those of broken statements. Kept: hints are made at every
    stage, and the text does not change between."""
    from tilescope_trace.source.tolerant import read  # slow to import: not at every start

    parsed = read(text)
    found = {name: those for statement in parsed.tree.body for name, those in _of_statement(statement, parsed)}
    return Places(found, parsed.line)


@per_node
def _of_statement(statement: ast.stmt, parsed: Parsed) -> tuple[tuple[str, tuple[Parameter, ...]], ...]:
    """Those of a statement at module level, at lines of the tree."""
    return tuple(_functions(ast.Module([statement], []), parsed, ""))


def _functions(node: ast.AST, parsed: Parsed, prefix: str) -> Iterator[tuple[str, tuple[Parameter, ...]]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield prefix + child.name, tuple(_parameters(child.args, parsed))
            yield from _functions(child, parsed, f"{prefix}{child.name}.")
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, parsed, f"{prefix}{child.name}.")
        elif isinstance(child, ast.stmt):
            yield from _functions(child, parsed, prefix)


def _parameters(arguments: ast.arguments, parsed: Parsed) -> Iterator[Parameter]:
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(arguments.defaults))
    defaults += [*arguments.defaults, *arguments.kw_defaults]
    for one, default in zip([*plain, *arguments.kwonlyargs], defaults, strict=True):
        last: ast.arg | ast.expr = default or one
        line, end = last.end_lineno or one.lineno, last.end_col_offset or 0
        column = parsed.column(parsed.line(line), end)
        annotation = ast.unparse(one.annotation) if one.annotation is not None else None
        yield Parameter(one.arg, line, column, annotation, ast.unparse(default) if default is not None else None)
