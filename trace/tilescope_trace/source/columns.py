"""Columns for facts of which the compiler knows only the line."""

from __future__ import annotations

import ast
import functools
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from tilescope_trace.model import Access, Buffer, Kernel, Launch, Operation

from .allocators import operation_kind
from .discover import LAUNCHES
from .names import Names, resolve
from .per_node import per_node
from .syntax import calls, own_expressions, statements
from .tolerant import Parsed

_Span = tuple[int, int, int]
_Uses = dict[tuple[int, str], list[tuple[bool, _Span]]]
"""Uses of a name, with its indices, by line and name: whether it is assigned to, and where it stands."""


@dataclass(eq=False)
class _Index:
    """Spans (line, column, end column) in a statement of the module, by every line of the statement they are in."""

    bindings: dict[int, list[tuple[str, _Span]]] = field(default_factory=lambda: defaultdict(list))
    operations: dict[int, list[tuple[str, _Span]]] = field(default_factory=lambda: defaultdict(list))
    launches: dict[int, list[_Span]] = field(default_factory=lambda: defaultdict(list))


@dataclass(frozen=True, eq=False)
class _Places:
    """The indices of a text, made of the statements that are asked for, and once for each as long as no edit touches
    it."""

    parsed: Parsed

    @functools.cached_property
    def _names(self) -> Names:
        return resolve(self.parsed)

    @functools.cached_property
    def _starts(self) -> list[int]:
        return [_start(statement) for statement in self.parsed.tree.body]

    def _around(self, line: int) -> Iterator[ast.stmt]:
        """The statements of the module that a line belongs to, the first one first."""
        body, last = self.parsed.tree.body, bisect_right(self._starts, line)
        first = last
        while first and (body[first - 1].end_lineno or 0) >= line:
            first -= 1
        return iter(body[first:last])

    def bindings(self, line: int) -> Iterator[tuple[str, _Span]]:
        return (one for index in self._indices(line) for one in index.bindings.get(line, ()))

    def operations(self, line: int) -> Iterator[tuple[str, _Span]]:
        return (one for index in self._indices(line) for one in index.operations.get(line, ()))

    def launches(self, line: int) -> Iterator[_Span]:
        return (one for index in self._indices(line) for one in index.launches.get(line, ()))

    def uses(self, line: int, name: str) -> list[tuple[bool, _Span]]:
        return [
            one for statement in self._around(line) for one in _uses_in(statement, self.parsed).get((line, name), ())
        ]

    def _indices(self, line: int) -> Iterator[_Index]:
        for statement in self._around(line):
            kept = _indices_of(statement)
            key = self._names.meanings
            if key not in kept:
                kept.clear()
                kept[key] = _index(statement, self._names, self.parsed)
            yield kept[key]


def locate(kernel: Kernel, parsed: Parsed) -> Kernel:
    """The kernel with columns wherever its buffers, operations and launch have a line but no column.

    A line inside a statement of several lines, or that of its beginning, is moved to the line the column is on.
    What the text does not show at that line is left as it is.
    """
    index = _places(parsed)
    return replace(
        kernel,
        buffers=tuple(_buffer(buffer, index) for buffer in kernel.buffers),
        operations=_operations(kernel.operations, index),
        launch=_launch(kernel.launch, index),
        accesses=_accesses(kernel.accesses, index) if kernel.accesses else (),
    )


def _buffer(buffer: Buffer, index: _Places) -> Buffer:
    if buffer.line is None or buffer.column is not None:
        return buffer
    for name, (line, column, end) in index.bindings(buffer.line):
        if name == buffer.name:
            return replace(buffer, line=line, column=column, end_column=end)
    return buffer


def _operations(operations: tuple[Operation, ...], index: _Places) -> tuple[Operation, ...]:
    """Operations of one kind on one statement are taken in order; one that is left over (unrolled, or a macro called
    again) shares the last place."""
    seen: Counter[tuple[str, int]] = Counter()
    located: list[Operation] = []
    for operation in operations:
        if operation.line is None or operation.column is not None:
            located.append(operation)
            continue
        places = [span for kind, span in index.operations(operation.line) if kind == operation.kind]
        exact = [span for span in places if span[0] == operation.line]
        places = exact or places
        if places:
            key = (operation.kind, places[0][0])
            line, column, end = places[min(seen[key], len(places) - 1)]
            seen[key] += 1
            operation = replace(operation, line=line, column=column, end_column=end)
        located.append(operation)
    return tuple(located)


def _accesses(accesses: tuple[Access, ...], index: _Places) -> tuple[Access, ...]:
    """Reads on one line are taken in order, over and over where the statement is there several times. A write is the
    first use that is assigned to or, of a tile operation, the last."""
    seen: Counter[tuple[int, str]] = Counter()
    located: list[Access] = []
    for access in accesses:
        uses = index.uses(access.line, access.buffer) if access.line is not None else []
        if access.line is not None and access.column is None and uses:
            writes = access.mode != "read"
            own = [span for stored, span in uses if stored == writes] or [span for _, span in uses]
            key = (access.line, access.buffer)
            at = seen[key] % len(own) if not writes else -1 if access.operation is not None else 0
            seen[key] += not writes
            line, column, end = own[at]
            access = replace(access, line=line, column=column, end_column=end)
        located.append(access)
    return tuple(located)


def _launch(launch: Launch | None, index: _Places) -> Launch | None:
    if launch is None or launch.line is None or launch.column is not None:
        return launch
    for line, column, end in index.launches(launch.line):
        return replace(launch, line=line, column=column, end_column=end)
    return launch


@functools.lru_cache(maxsize=8)
def _places(parsed: Parsed) -> _Places:
    return _Places(parsed)


@per_node
def _indices_of(_statement: ast.stmt) -> dict[object, _Index]:
    """The index of a statement by what the file's names mean."""
    return {}


def _start(statement: ast.stmt) -> int:
    """The line a statement begins at, its decorators included."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(one.lineno for one in decorators)])


def _index(whole: ast.stmt, names: Names, parsed: Parsed) -> _Index:
    index = _Index()
    for statement in statements([whole]):
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            _parameters(statement, index, parsed)
            continue
        lines = _header_lines(statement)
        for name in _bound(statement):
            span = parsed.span(name)
            for line in lines:
                index.bindings[line].append((name.id, span))
        if isinstance(statement, (ast.For, ast.AsyncFor)) and _loop_kind(statement.iter, names) == "loop":
            for line in lines:
                index.operations[line].append(("loop", parsed.span(statement.iter)))
        for call in calls(*own_expressions(statement)):
            _call(call, lines, index, names, parsed)
    return index


@per_node
def _uses_in(whole: ast.stmt, parsed: Parsed) -> _Uses:
    found: _Uses = defaultdict(list)
    for statement in statements([whole]):
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        lines = _header_lines(statement)
        for name, node in _names_in(statement):
            span = parsed.span(node)
            stored = isinstance(getattr(node, "ctx", None), ast.Store)
            for line in lines:
                found[line, name].append((stored, span))
    return dict(found)


def _names_in(statement: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """Names in the expressions of a statement, a name with indices as a whole."""
    pending: list[ast.AST] = list(reversed(list(own_expressions(statement))))
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            yield node.value.id, node
            pending.append(node.slice)
        elif isinstance(node, ast.Name):
            yield node.id, node
        else:
            pending.extend(reversed(list(ast.iter_child_nodes(node))))


def _call(call: ast.Call, lines: range, index: _Index, names: Names, parsed: Parsed) -> None:
    name = names.tile(call.func)
    if name is None:
        return
    if name in LAUNCHES:
        for line in lines:
            index.launches[line].append(parsed.span(call))
    elif (kind := operation_kind(name)) is not None and kind != "loop":
        for line in lines:
            index.operations[line].append((kind, parsed.span(call)))


def _loop_kind(node: ast.expr, names: Names) -> str:
    """The kind of a loop by what it iterates over: any that is not the tile language's own is a plain one."""
    name = names.tile(node.func) if isinstance(node, ast.Call) else None
    return (name and operation_kind(name)) or "loop"


def _parameters(function: ast.FunctionDef | ast.AsyncFunctionDef, index: _Index, parsed: Parsed) -> None:
    """A parameter is found from its own line from that of any line of the signature, and of the
    decorators."""
    arguments = function.args
    first = _start(function)
    lines = range(first, max(function.body[0].lineno, function.lineno + 1))
    for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]:
        line, column, _ = parsed.span(argument)
        for at in {*lines, line}:
            index.bindings[at].append((argument.arg, (line, column, column + len(argument.arg))))


def _bound(statement: ast.stmt) -> list[ast.Name]:
    if isinstance(statement, ast.Assign):
        pending = list(statement.targets)
    elif isinstance(statement, ast.AnnAssign):
        pending = [statement.target]
    else:
        return []
    found: list[ast.Name] = []
    while pending:
        target = pending.pop(0)
        if isinstance(target, ast.Name):
            found.append(target)
        elif isinstance(target, (ast.Tuple, ast.List)):
            pending.extend(target.elts)
    return found


def _header_lines(statement: ast.stmt) -> range:
    """The lines of a simple statement, or of the head of a compound one."""
    body = getattr(statement, "body", None)
    if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
        return range(statement.lineno, max(body[0].lineno, statement.lineno + 1))
    return range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
