"""Names of a text and what they are bound to: scopes as Python's, positions as the editor's."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from tilescope_trace.source.tolerant import Parsed, parse

DEEPEST = 8
"""Calls within calls that are followed to the buffer that a caller passes."""


@dataclass(frozen=True)
class Occurrence:
    """A name in the text: 1-based line, column in code points, exclusive end; ``binds`` where it gets a value."""

    name: str
    line: int
    column: int
    end_column: int
    binds: bool


@dataclass(eq=False)
class Variable:
    """A name of one scope; ``function`` is the one it belongs to (None: the module). ``parameter`` is its position
    among the function's parameters, None where it is none. ``places`` are its occurrences, in order of the text."""

    name: str
    function: ast.FunctionDef | ast.AsyncFunctionDef | None
    parameter: int | None = None
    places: list[Occurrence] = field(default_factory=list)

    @property
    def bound(self) -> tuple[Occurrence, ...]:
        """The places at which it gets a value."""
        return tuple(place for place in self.places if place.binds)

    def bound_before(self, line: int) -> Occurrence | None:
        """Where it gets the value that it has at a line, read from top to bottom."""
        bound = self.bound
        return next((place for place in reversed(bound) if place.line <= line), bound[0] if bound else None)


@dataclass(eq=False)
class Scope:
    """A function, a class or the module (``node``) and the names that belong to it."""

    node: ast.AST
    parent: Scope | None
    variables: dict[str, Variable] = field(default_factory=dict)

    def find(self, name: str) -> Variable | None:
        """The variable that a name means here: names of classes are not seen from the functions in them."""
        scope: Scope | None = self
        while scope is not None:
            if (scope is self or not isinstance(scope.node, ast.ClassDef)) and name in scope.variables:
                return scope.variables[name]
            scope = scope.parent
        return None


@dataclass(frozen=True, eq=False)
class Call:
    """A call of a function of the text by its name: the variables that it passes, by parameter."""

    function: ast.FunctionDef | ast.AsyncFunctionDef
    line: int
    passed: dict[str, Variable]


@dataclass(frozen=True, eq=False)
class Bindings:
    """All names of a text that are bound in it, those of attributes and imports left out."""

    variables: tuple[Variable, ...]
    calls: tuple[Call, ...]
    functions: tuple[ast.FunctionDef | ast.AsyncFunctionDef, ...]
    _starts: tuple[tuple[int, int], ...]
    _found: tuple[tuple[Occurrence, Variable], ...]

    def at(self, line: int, column: int) -> tuple[Occurrence, Variable] | None:
        """The name at a place; a place right behind a name belongs to it."""
        number = bisect_right(self._starts, (line, column)) - 1
        if number < 0:
            return None
        occurrence, variable = self._found[number]
        here = occurrence.line == line and occurrence.column <= column <= occurrence.end_column
        return (occurrence, variable) if here else None

    def passed_to(self, variable: Variable, depth: int = DEEPEST) -> tuple[Variable, ...]:
        """The variables of callers that a parameter stands for, theirs followed in turn; none for other variables."""
        if variable.parameter is None or depth == 0:
            return ()
        found: dict[Variable, None] = {}
        for call in self.calls:
            if call.function is variable.function and (given := call.passed.get(variable.name)) is not None:
                found.update(dict.fromkeys(self.passed_to(given, depth - 1) or (given,)))
        return tuple(found)


@lru_cache(maxsize=8)
def bindings_of(text: str) -> Bindings:
    """The names of a text, whether or not it parses."""
    parsed = parse(text)
    reader = _Reader(parsed)
    module = Scope(parsed.tree, None)
    reader.bind(parsed.tree.body, module)
    reader.read()
    variables = tuple(variable for scope in reader.scopes for variable in scope.variables.values())
    found = [(place, variable) for variable in variables for place in variable.places]
    found.sort(key=lambda item: (item[0].line, item[0].column))
    for variable in variables:
        variable.places.sort(key=lambda place: (place.line, place.column))
    starts = tuple((place.line, place.column) for place, _ in found)
    return Bindings(variables, tuple(reader.calls()), tuple(reader.functions), starts, tuple(found))


class _Reader:
    """First all scopes with what is bound in them, then all uses: a name may be bound below its use."""

    def __init__(self, parsed: Parsed) -> None:
        self._parsed = parsed
        self._uses: list[tuple[ast.Name, Scope]] = []
        self._calls: list[tuple[ast.Call, Scope]] = []
        self.scopes: list[Scope] = []
        self.functions: list[ast.FunctionDef | ast.AsyncFunctionDef] = []
        self._defined: dict[int, ast.FunctionDef | ast.AsyncFunctionDef] = {}

    def bind(self, body: list[Any], scope: Scope) -> None:
        """Everything in statements of a scope, and in the scopes in it."""
        self.scopes.append(scope)
        waiting: list[tuple[list[Any], Scope]] = []
        nodes: list[ast.AST] = list(reversed(body))
        while nodes:
            node = nodes.pop()
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self._function(node, scope, waiting)
                nodes.extend(
                    [*node.decorator_list, *_signature(node.args), *([node.returns] if node.returns else [])]
                )
                continue
            if isinstance(node, ast.Lambda):
                inner = Scope(node, scope)
                self._parameters(node.args, inner, None)
                waiting.append(([node.body], inner))
                nodes.extend(_signature(node.args))
                continue
            if isinstance(node, ast.ClassDef):
                waiting.append((node.body, Scope(node, scope)))
                nodes.extend([*node.decorator_list, *node.bases, *node.keywords])
                continue
            if isinstance(node, ast.Name):
                if isinstance(node.ctx, ast.Load):
                    self._uses.append((node, scope))
                else:
                    self._bind(node.id, node, scope)
            elif isinstance(node, ast.Call):
                self._calls.append((node, scope))
            nodes.extend(reversed(list(ast.iter_child_nodes(node))))
        for inner_body, inner in waiting:
            self.bind(inner_body, inner)

    def read(self) -> None:
        """Give each use to its variable."""
        for node, scope in self._uses:
            variable = scope.find(node.id)
            if variable is not None and (place := self._place(node.id, node, binds=False)) is not None:
                variable.places.append(place)

    def calls(self) -> Iterator[Call]:
        """Calls of functions of this text, by their names."""
        for node, scope in self._calls:
            name = scope.find(node.func.id) if isinstance(node.func, ast.Name) else None
            function = self._defined.get(id(name)) if name is not None else None
            if function is None:
                continue
            names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
            given = [
                *zip(names, node.args, strict=False),
                *((one.arg, one.value) for one in node.keywords if one.arg),
            ]
            passed = {
                parameter: variable
                for parameter, value in given
                if parameter is not None and (variable := self._passed(value, scope)) is not None
            }
            yield Call(function, node.lineno, passed)

    @staticmethod
    def _passed(value: ast.expr, scope: Scope) -> Variable | None:
        while isinstance(value, ast.Subscript):  # a part of a buffer
            value = value.value
        return scope.find(value.id) if isinstance(value, ast.Name) else None

    def _function(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef,
        scope: Scope,
        waiting: list[tuple[list[Any], Scope]],
    ) -> None:
        self.functions.append(node)
        self._defined[id(scope.variables.setdefault(node.name, self._variable(node.name, scope)))] = node
        inner = Scope(node, scope)
        self._parameters(node.args, inner, node)
        waiting.append((list(node.body), inner))

    def _parameters(
        self, arguments: ast.arguments, scope: Scope, function: ast.FunctionDef | ast.AsyncFunctionDef | None
    ) -> None:
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        for number, argument in enumerate(every):
            variable = scope.variables.setdefault(argument.arg, Variable(argument.arg, function, number))
            self._add(variable, argument)
        for rest in filter(None, (arguments.vararg, arguments.kwarg)):
            self._add(scope.variables.setdefault(rest.arg, Variable(rest.arg, function)), rest)

    def _bind(self, name: str, node: ast.AST, scope: Scope) -> None:
        self._add(scope.variables.setdefault(name, self._variable(name, scope)), node)

    @staticmethod
    def _variable(name: str, scope: Scope) -> Variable:
        node = scope.node
        return Variable(name, node if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else None)

    def _add(self, variable: Variable, node: ast.AST) -> None:
        if (place := self._place(variable.name, node, binds=True)) is not None:
            variable.places.append(place)

    def _place(self, name: str, node: Any, *, binds: bool) -> Occurrence | None:
        line: int = node.lineno
        column = self._parsed.column(line, node.col_offset)
        lines = self._parsed.lines
        # What a repair put there is not in the text.
        if not (0 < line <= len(lines) and lines[line - 1].startswith(name, column - 1)):
            return None
        return Occurrence(name, line, column, column + len(name), binds)


def _signature(arguments: ast.arguments) -> list[ast.AST]:
    """Annotations and defaults, which belong to the scope around."""
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    rest = [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
    annotations = [one.annotation for one in (*every, *rest) if one.annotation is not None]
    defaults = [*arguments.defaults, *(one for one in arguments.kw_defaults if one is not None)]
    return [*annotations, *defaults]
