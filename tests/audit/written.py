"""A kernel as its author wrote it, read from the syntax tree alone and evaluated by Python: buffers, operations,
accesses and loops. Neither the compiler nor the code that makes facts is asked."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import numpy as np

SIZES = {"float16": 2, "bfloat16": 2, "float32": 4, "int32": 4, "int8": 1}
_LOOPS = ("Pipelined", "serial", "Parallel", "unroll", "vectorized", "grid")
_SHIM = SimpleNamespace(ceildiv=lambda one, other: -(-one // other), infinity=lambda _: math.inf)


@dataclass(frozen=True)
class Declared:
    name: str
    line: int
    shape: tuple[int, ...]
    dtype: str
    allocator: str

    @property
    def bytes(self) -> int:
        return math.prod(self.shape) * SIZES[self.dtype]


@dataclass(frozen=True)
class Loop:
    line: int
    kind: str
    variables: tuple[str, ...]
    extents: tuple[int, ...]
    num_stages: int | None = None


@dataclass(frozen=True)
class Touched:
    """``starts`` are expressions of the first index of each dimension, ``extents`` how many elements there are."""

    buffer: str
    mode: str
    line: int
    starts: tuple[ast.expr, ...]
    extents: tuple[int, ...]
    loops: tuple[Loop, ...]


@dataclass(frozen=True)
class Called:
    line: int
    function: str
    call: ast.Call
    loops: tuple[Loop, ...]


@dataclass
class Written:
    environment: dict[str, Any]
    grid: tuple[int, ...] = ()
    blocks: tuple[str, ...] = ()
    threads: int | None = None
    launch_line: int = 0
    buffers: dict[str, Declared] = field(default_factory=dict)
    loops: list[Loop] = field(default_factory=list)
    called: list[Called] = field(default_factory=list)
    touched: list[Touched] = field(default_factory=list)
    names: list[ast.Assign] = field(default_factory=list)
    """Assignments in the kernel's body that name an expression."""

    def value(self, expression: ast.expr, variables: Mapping[str, Any] | None = None) -> Any:
        """The value of an expression, with values (numbers or arrays) for variables of loops and blocks."""
        scope = {**self.environment, **(variables or {})}
        for name in self.names:
            needed = {node.id for node in ast.walk(name.value) if isinstance(node, ast.Name)}
            if needed <= scope.keys():  # otherwise it is of a variable that the expression is not about
                scope[ast.unparse(name.targets[0])] = _evaluate(name.value, scope)
        return _evaluate(expression, scope)

    def domain(self, loops: tuple[Loop, ...]) -> dict[str, int]:
        """The number of values of each block variable and of each variable of ``loops``."""
        found = dict(zip(self.blocks, self.grid, strict=True))
        for loop in loops:
            found |= zip(loop.variables, loop.extents, strict=True)
        return found

    def used(self, expressions: tuple[ast.expr, ...], loops: tuple[Loop, ...]) -> dict[str, int]:
        """The part of the domain that the expressions depend on, also by way of a named expression."""
        used = {node.id for expression in expressions for node in ast.walk(expression) if isinstance(node, ast.Name)}
        for name in reversed(self.names):
            if ast.unparse(name.targets[0]) in used:
                used |= {node.id for node in ast.walk(name.value) if isinstance(node, ast.Name)}
        return {name: count for name, count in self.domain(loops).items() if name in used}


def grid_of(domain: Mapping[str, int]) -> dict[str, Any]:
    """All cases of a domain, as arrays that go together."""
    axes = np.meshgrid(*(np.arange(count) for count in domain.values()), indexing="ij") if domain else []
    return {name: axis.ravel() for name, axis in zip(domain, axes, strict=True)}


def written(text: str, arguments: Mapping[str, Any]) -> Written:
    """The kernel of a bundled file: a factory with one prim_func in it."""
    tree = ast.parse(text)
    factory = next(node for node in tree.body if isinstance(node, ast.FunctionDef))
    found = Written({"T": _SHIM, "math": math, **arguments})
    for statement in factory.body:
        if isinstance(statement, ast.Assign):
            found.environment[ast.unparse(statement.targets[0])] = found.value(statement.value)
        elif isinstance(statement, ast.FunctionDef):
            for argument in statement.args.args:
                assert isinstance(argument.annotation, ast.Call)
                shape, dtype = (found.value(one) for one in argument.annotation.args)
                found.buffers[argument.arg] = Declared(argument.arg, argument.lineno, tuple(shape), dtype, "Tensor")
            _body(statement.body, found, ())
    return found


def _body(statements: list[ast.stmt], found: Written, loops: tuple[Loop, ...]) -> None:
    for statement in statements:
        if isinstance(statement, ast.With):
            _with(statement, found, loops)
        elif isinstance(statement, ast.For):
            loop = _loop(statement, found)
            found.loops.append(loop)
            _body(statement.body, found, (*loops, loop))
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            called = Called(statement.lineno, ast.unparse(statement.value.func)[2:], statement.value, loops)
            found.called.append(called)
            found.touched += _by_call(called, found)
        elif isinstance(statement, (ast.Assign, ast.AugAssign)):
            _assignment(statement, found, loops)


def _with(statement: ast.With, found: Written, loops: tuple[Loop, ...]) -> None:
    item = statement.items[0]
    call = item.context_expr
    assert isinstance(call, ast.Call)
    if ast.unparse(call.func) == "T.Kernel":
        found.grid = tuple(found.value(size) for size in call.args)
        named = item.optional_vars
        assert named is not None
        found.blocks = tuple(ast.unparse(one) for one in (named.elts if isinstance(named, ast.Tuple) else [named]))
        threads = [keyword.value for keyword in call.keywords if keyword.arg == "threads"]
        found.threads = found.value(threads[0]) if threads else None
        found.launch_line = statement.lineno
    _body(statement.body, found, loops)


def _loop(statement: ast.For, found: Written) -> Loop:
    call = statement.iter
    assert isinstance(call, ast.Call)
    kind = ast.unparse(call.func)[2:]
    assert kind in _LOOPS, kind
    target = statement.target
    names = tuple(ast.unparse(one) for one in (target.elts if isinstance(target, ast.Tuple) else [target]))
    stages = next((found.value(one.value) for one in call.keywords if one.arg == "num_stages"), None)
    return Loop(statement.lineno, kind, names, tuple(found.value(size) for size in call.args), stages)


def _assignment(statement: ast.Assign | ast.AugAssign, found: Written, loops: tuple[Loop, ...]) -> None:
    target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
    value = statement.value
    if isinstance(value, ast.Call) and ast.unparse(value.func).startswith("T.alloc_"):
        shape, dtype = (found.value(one) for one in value.args)
        name = ast.unparse(target)
        found.buffers[name] = Declared(name, statement.lineno, tuple(shape), dtype, ast.unparse(value.func)[2:])
    elif isinstance(target, ast.Name):
        assert isinstance(statement, ast.Assign)
        found.names.append(statement)
    else:
        found.touched += [replace(one, mode="read") for one in _loads(value, found, loops)]
        own = list(_loads(target, found, loops))
        if isinstance(statement, ast.AugAssign):
            found.touched += [replace(one, mode="read") for one in own]
        found.touched += [replace(one, mode="write") for one in own]


def _loads(expression: ast.expr, found: Written, loops: tuple[Loop, ...]) -> Iterator[Touched]:
    for node in ast.walk(expression):
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) in found.buffers:
            starts = tuple(node.slice.elts) if isinstance(node.slice, ast.Tuple) else (node.slice,)
            yield Touched(ast.unparse(node.value), "read", node.lineno, starts, (1,) * len(starts), loops)


def _by_call(called: Called, found: Written) -> Iterator[Touched]:
    arguments = called.call.args
    keywords = {keyword.arg: keyword.value for keyword in called.call.keywords}
    function, line, loops = called.function, called.line, called.loops

    def touch(argument: ast.expr, mode: str, shape: tuple[int, ...] = ()) -> Touched:
        name, starts, extents = _region(argument, found, shape)
        return Touched(name, mode, line, starts, extents, loops)

    if function == "copy":
        shapes = [_region(argument, found, ())[2] for argument in arguments[:2]]
        yield touch(arguments[0], "read", shapes[1])
        yield touch(arguments[1], "write", shapes[0])
    elif function in ("clear", "fill"):
        yield touch(arguments[0], "write")
    elif function == "gemm":
        yield touch(arguments[0], "read")
        yield touch(arguments[1], "read")
        if "clear_accum" not in keywords:
            yield touch(arguments[2], "read")
        yield touch(arguments[2], "write")
    elif function.startswith("reduce_"):
        yield touch(arguments[0], "read")
        if "clear" in keywords and not found.value(keywords["clear"]):
            yield touch(arguments[1], "read")
        yield touch(arguments[1], "write")


def _region(
    argument: ast.expr, found: Written, other: tuple[int, ...]
) -> tuple[str, tuple[ast.expr, ...], tuple[int, ...]]:
    """Name, first indices and extents; one given by its first element only is as large as the ``other`` side."""
    if isinstance(argument, ast.Name):
        shape = found.buffers[argument.id].shape
        return argument.id, tuple(ast.Constant(0) for _ in shape), shape
    assert isinstance(argument, ast.Subscript)
    name = ast.unparse(argument.value)
    parts = argument.slice.elts if isinstance(argument.slice, ast.Tuple) else [argument.slice]
    if not any(isinstance(part, ast.Slice) for part in parts):
        return name, tuple(parts), (*(1,) * (len(parts) - len(other)), *other)
    starts, extents = [], []
    zeros = dict.fromkeys((*found.blocks, *(one for loop in found.loops for one in loop.variables)), 0)
    for part, size in zip(parts, found.buffers[name].shape, strict=True):
        if isinstance(part, ast.Slice):
            start = part.lower or ast.Constant(0)
            end = found.value(part.upper, zeros) if part.upper is not None else size
            extents.append(end - found.value(start, zeros))
        else:
            start = part
            extents.append(1)
        starts.append(start)
    return name, tuple(starts), tuple(extents)


def _evaluate(expression: ast.expr, scope: Mapping[str, Any]) -> Any:
    code = compile(ast.fix_missing_locations(ast.Expression(expression)), "<kernel>", "eval")
    return eval(code, {"__builtins__": {}}, dict(scope))
