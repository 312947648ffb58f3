"""What the source alone says about a kernel: buffers, launch and operations, with what is computable computed."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from tilescope_trace.alike import alike
from tilescope_trace.model import Buffer, Extent, Launch, Operation

from .allocators import ALLOCATORS, OPERANDS, TENSORS, Allocator, operation_kind
from .declared import declared_shape
from .discover import LAUNCHES, KernelSource
from .dtypes import full_name, size_in_bytes
from .evaluate import Evaluator
from .flow import Flow
from .literals import as_json
from .names import is_macro
from .parameters import bind, default_scope
from .signature import FunctionNode
from .syntax import calls, own_expressions
from .tolerant import Parsed
from .values import Env, Function, is_plain

_MACRO_DEPTH = 8
_THREADS = ("threads",)


@dataclass(frozen=True)
class StaticFacts:
    """Facts in source order, at lines of the tree; a macro's stand where it is first called."""

    buffers: tuple[Buffer, ...] = ()
    operations: tuple[Operation, ...] = ()
    launch: Launch | None = None
    elsewhere: dict[tuple[int, ...], StaticFacts] = field(default_factory=dict, compare=False, repr=False)
    """The same where they were last."""

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """All lines that they name."""
        launch = self.launch.line if self.launch is not None else None
        named = (launch, *(one.line for one in self.buffers), *(one.line for one in self.operations))
        calls = (line for one in self.operations for line in one.called_from)
        return (*(line for line in named if line is not None), *calls)


def read_static(kernel: KernelSource, scope: Env, evaluator: Evaluator, parsed: Parsed) -> StaticFacts:
    """Read a kernel's body in its scope."""
    reader = _Reader(kernel, evaluator, parsed)
    reader.parameters(scope)
    reader.body(kernel.body.body, scope)
    return StaticFacts(tuple(reader.buffers.values()), tuple(reader.operations.values()), reader.launch)


def placed(facts: StaticFacts, parsed: Parsed) -> StaticFacts:
    """Facts of ``parsed`` at the lines of its text instead of those of its tree: the same objects as long as these
    are the same lines."""
    if not parsed.moves:
        return facts
    line = parsed.line
    lines = tuple(map(line, facts.lines))
    if lines == facts.lines:
        return facts
    if lines not in facts.elsewhere:
        launch = facts.launch
        moved = StaticFacts(
            tuple(alike(one, line=line(one.line)) for one in facts.buffers if one.line is not None),
            tuple(
                alike(one, line=line(one.line), called_from=tuple(map(line, one.called_from)))
                for one in facts.operations
                if one.line is not None
            ),
            launch if launch is None or launch.line is None else alike(launch, line=line(launch.line)),
        )
        facts.elsewhere.clear()
        facts.elsewhere[lines] = moved
    return facts.elsewhere[lines]


@dataclass(eq=False)
class _Reader:
    kernel: KernelSource
    evaluator: Evaluator
    parsed: Parsed
    buffers: dict[tuple[int, int], Buffer] = field(default_factory=dict)
    operations: dict[tuple[int, int], Operation] = field(default_factory=dict)
    launch: Launch | None = None
    called_from: tuple[int, ...] = ()
    depth: int = 0

    def parameters(self, scope: Env) -> None:
        arguments = self.kernel.body.args
        for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]:
            self._declared(argument, argument.arg, argument.annotation, scope)

    def body(self, statements: Sequence[ast.stmt], scope: Env) -> None:
        Flow(self.evaluator, self._statement).run(statements, scope)

    def _statement(self, node: ast.stmt, scope: Env) -> None:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            self._declared(node.target, node.target.id, node.annotation, scope)
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                self._assigned(target, node.value, scope)
        for call in calls(*own_expressions(node)):
            self._call(call, scope)

    def _assigned(self, target: ast.expr, value: ast.expr, scope: Env) -> None:
        if isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (ast.Tuple, ast.List)):
            for one, its in zip(target.elts, value.elts, strict=False):
                self._assigned(one, its, scope)
        elif isinstance(target, ast.Name) and isinstance(value, ast.Call):
            allocator = ALLOCATORS.get(self.evaluator.names.tile(value.func) or "")
            if allocator is not None:
                self._buffer(target, target.id, allocator, value, scope)

    def _declared(self, place: ast.AST, name: str, annotation: ast.expr | None, scope: Env) -> None:
        """A tensor: a parameter, or an annotation statement of an eager kernel."""
        if not isinstance(annotation, (ast.Call, ast.Subscript)):
            return
        head = annotation.func if isinstance(annotation, ast.Call) else annotation.value
        kind = TENSORS.get(self.evaluator.names.tile(head) or "")
        if kind is None:
            return
        shape = self._shape(declared_shape(annotation), scope)
        if isinstance(annotation, ast.Call):
            dtype_node = _argument(annotation, kind.dtype, "dtype")
        else:
            parts = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else []
            dtype_node = parts[-1] if len(parts) > 1 else None
        self._add(place, name, kind.scope, shape, self._dtype(dtype_node, kind, scope))

    def _buffer(self, place: ast.AST, name: str, kind: Allocator, call: ast.Call, scope: Env) -> None:
        shape: tuple[Extent, ...] = (1,)
        if kind.shape is not None:
            node = _argument(call, kind.shape, "shape")
            if isinstance(node, (ast.Tuple, ast.List)):
                shape = self._shape(node.elts, scope)
            else:
                shape = self._shape_of_value(node, scope)
        elif kind.dtype is None:
            counts = self.evaluator.value(_argument(call, 0, "arrive_count"), scope)
            shape = (len(counts),) if isinstance(counts, (list, tuple)) else (1,)
        dtype = self._dtype(None if kind.dtype is None else _argument(call, kind.dtype, "dtype"), kind, scope)
        where = None if kind.scope_at is None else _argument(call, kind.scope_at, "scope")
        given = self.evaluator.value(where, scope)
        if dtype == "bool" and kind is ALLOCATORS["alloc_shared"] and self.kernel.dialect != "ascend":
            given = "shared"
        self._add(place, name, given if isinstance(given, str) else kind.scope, shape, dtype)

    def _add(self, place: ast.AST, name: str, where: str, shape: tuple[Extent, ...], dtype: str | None) -> None:
        line, column, _ = self.parsed.span(place)
        size = size_in_bytes(shape, dtype)
        end = column + len(name)
        buffer = Buffer(name, line, column, shape, dtype, where, bytes=size, end_column=end)
        self.buffers.setdefault((line, column), buffer)

    def _dtype(self, node: ast.expr | None, kind: Allocator, scope: Env) -> str | None:
        value = kind.presumed if node is None else self.evaluator.value(node, scope)
        return full_name(value) if isinstance(value, str) else None

    def _shape(self, extents: Sequence[ast.expr], scope: Env) -> tuple[Extent, ...]:
        found: list[Extent] = []
        for extent in extents:
            if isinstance(extent, ast.Starred):
                found.extend(self._shape_of_value(extent.value, scope))
            else:
                found.append(self._extent(extent, scope))
        return tuple(found)

    def _shape_of_value(self, node: ast.expr | None, scope: Env) -> tuple[Extent, ...]:
        if node is None:
            return ()
        value = self.evaluator.value(node, scope)
        if isinstance(value, (tuple, list)):
            return tuple(item if type(item) is int else "?" for item in value)
        return (value,) if type(value) is int else (self.parsed.source(node),)

    def _extent(self, node: ast.expr, scope: Env) -> Extent:
        value = self.evaluator.value(node, scope)
        return value if type(value) is int else self.parsed.source(node)

    def _call(self, call: ast.Call, scope: Env) -> None:
        name = self.evaluator.names.tile(call.func)
        if name is None:
            self._macro(call, scope)
        elif name in LAUNCHES:
            self._launch(call, scope)
        elif (kind := operation_kind(name)) is not None:
            line, column, end = self.parsed.span(call)
            detail = self._detail(call, kind, name, scope)
            operation = Operation(kind, line, column, end, detail=detail, called_from=self.called_from)
            known = self.operations.get((line, column))
            if known is not None:
                calls_of = dict.fromkeys((*known.called_from, *self.called_from))
                operation = replace(known, called_from=tuple(calls_of))
            self.operations[line, column] = operation

    def _launch(self, call: ast.Call, scope: Env) -> None:
        if self.launch is not None:
            return
        line, column, end = self.parsed.span(call)
        threads = next((k.value for k in call.keywords if k.arg in _THREADS), None)
        self.launch = Launch(
            grid=self._shape(call.args, scope),
            threads=None if threads is None else self._threads(threads, scope),
            line=line,
            column=column,
            end_column=end,
        )

    def _threads(self, node: ast.expr, scope: Env) -> Extent | None:
        value = self.evaluator.value(node, scope)
        if value is None:
            return None
        if isinstance(value, (tuple, list)) and all(type(item) is int for item in value):
            product = 1
            for item in value:
                product *= item
            return product
        return value if type(value) is int else self.parsed.source(node)

    def _detail(self, call: ast.Call, kind: str, name: str, scope: Env) -> dict[str, object]:
        detail: dict[str, object] = {}
        if kind == "pipeline":
            stages = _argument(call, 2, "num_stages")
            detail["num_stages"] = 0 if stages is None else self._extent(stages, scope)
            detail["extent"] = self._loop_extent(call, scope)
        elif kind == "parallel":
            detail["extents"] = list(self._shape(call.args, scope))
        elif kind == "loop":
            detail = {"loop": name.lower(), "extent": self._loop_extent(call, scope)}
        else:
            roles = OPERANDS.get(kind, ())
            for position, role in enumerate(roles):
                if position < len(call.args):
                    detail[role] = self.parsed.source(call.args[position])
            if name == "clear":
                detail["value"] = 0
            usual = {"copy": "copy", "gemm": "gemm", "reduce": "reduce"}.get(kind)
            if kind == "reduce" and name != "reduce":
                detail["reduce"] = name.removeprefix("reduce_")
            elif kind == "atomic":
                detail["atomic"] = name.removeprefix("atomic_")
            elif name != usual and kind != "fill":
                detail["operation"] = name
        for keyword in call.keywords:
            if keyword.arg is not None and keyword.arg not in detail:
                value = self.evaluator.value(keyword.value, scope)
                detail[keyword.arg] = as_json(value) if is_plain(value) else self.parsed.source(keyword.value)
        return detail

    def _loop_extent(self, call: ast.Call, scope: Env) -> Extent:
        if not call.args:
            return "?"
        first = self._extent(call.args[0], scope)
        bounded = len(call.args) > 1 and not (isinstance(call.args[1], ast.Constant) and call.args[1].value is None)
        if not bounded:
            return first
        last = self._extent(call.args[1], scope)
        if isinstance(first, int) and isinstance(last, int):
            return last - first
        return str(last) if first == 0 else f"{last} - {first}"

    def _macro(self, call: ast.Call, scope: Env) -> None:
        """Read the body of a macro of this file where it is called."""
        if not isinstance(call.func, ast.Name) or self.depth >= _MACRO_DEPTH:
            return
        function = scope.get(call.func.id)
        if not isinstance(function, Function) or isinstance(function.node, ast.Lambda):
            return
        if not self._is_macro(function.node):
            return
        inside = default_scope(function, self.evaluator)
        inside.values.update(bind(function.node, self.evaluator.arguments(call, scope)))
        outer = self.called_from
        # Facts of a macro's body belong to the lines that call it, outermost first.
        self.called_from = (*outer, call.lineno)
        self.depth += 1
        self.body(function.node.body, inside)
        self.depth -= 1
        self.called_from = outer

    def _is_macro(self, function: FunctionNode) -> bool:
        names = self.evaluator.names
        heads = (node.func if isinstance(node, ast.Call) else node for node in function.decorator_list)
        return any(is_macro(names.dotted(head)) for head in heads)


def _argument(call: ast.Call, position: int | None, name: str) -> ast.expr | None:
    """An argument by position or name."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    if position is None or position >= len(call.args) or any(isinstance(a, ast.Starred) for a in call.args):
        return None
    return call.args[position]
