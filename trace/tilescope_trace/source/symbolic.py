"""Which values of a kernel's body are known only when it runs, as far as its source proves it.

A kernel is a Python function that runs once, to build the program. Block indices, loop variables, elements of buffers
and what is computed of them are expressions then; what is not provably one of these counts as a Python value here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from .allocators import ALLOCATORS, TENSORS
from .dtypes import dtype_name
from .names import Names
from .signature import FunctionNode
from .syntax import statements

LOOPS = frozenset(
    {
        "serial",
        "Serial",
        "Parallel",
        "Pipelined",
        "Persistent",
        "unroll",
        "Unroll",
        "vectorized",
        "Vectorized",
        "grid",
    }
)
_LAUNCHES = frozenset({"Kernel", "ClusterKernel", "MixedKernel"})
_BINDINGS = frozenset({"get_thread_binding", "get_block_binding", "get_lane_idx", "get_warp_idx"})
_OF_ARGUMENTS = frozenset(
    {
        "max",
        "min",
        "cast",
        "if_then_else",
        "ceildiv",
        "floordiv",
        "floormod",
        "truncdiv",
        "truncmod",
        "And",
        "Or",
        "Not",
    }
    | {
        "abs",
        "exp",
        "exp2",
        "log",
        "log2",
        "sqrt",
        "rsqrt",
        "sin",
        "cos",
        "tanh",
        "sigmoid",
        "floor",
        "ceil",
        "round",
    }
    | {"clamp", "bitwise_and", "bitwise_or", "bitwise_xor", "shift_left", "shift_right"}
)
"""Functions of the tile language whose result is an expression where an argument is."""


@dataclass
class Symbolic:
    """The names of ``function`` that always stand for expressions, and of buffers; ``names`` resolves imports."""

    function: FunctionNode
    names: Names
    values: set[str] = field(default_factory=set)
    buffers: set[str] = field(default_factory=set)
    variables: set[str] = field(default_factory=set)
    """Names of ``T.alloc_var``: assigning to one stores."""

    def __post_init__(self) -> None:
        self._parameters()
        bound = list(self._bound())
        for target, value in bound:
            allocator = self._allocator(value)
            if allocator == "alloc_var":
                self.variables.add(target)
            elif allocator is not None:
                self.buffers.add(target)
        for _ in range(3):  # names of names of names
            sure: dict[str, bool] = {}
            for target, value in bound:
                if not isinstance(value, ast.AugAssign):  # of an expression it makes an expression
                    sure[target] = sure.get(target, True) and self._binds_expression(value)
            self.values |= {name for name, always in sure.items() if always} - self.buffers
        self.values |= self.variables

    def is_expression(self, node: ast.expr) -> bool:
        """Whether the value of ``node`` is provably known only when the kernel runs."""
        if isinstance(node, ast.Name):
            return node.id in self.values
        if isinstance(node, ast.Subscript):
            return self._is_element(node)
        if isinstance(node, ast.BinOp):
            return self.is_expression(node.left) or self.is_expression(node.right)
        if isinstance(node, ast.UnaryOp):
            return self.is_expression(node.operand)
        if isinstance(node, ast.Compare):
            asked = any(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in node.ops)
            return not asked and any(map(self.is_expression, (node.left, *node.comparators)))
        if isinstance(node, ast.BoolOp):
            return any(map(self.is_expression, node.values))
        if isinstance(node, ast.Call):
            name = self.names.tile(node.func)
            return name in _BINDINGS or (name in _OF_ARGUMENTS and any(map(self.is_expression, node.args)))
        return False

    def is_loop(self, node: ast.For | ast.AsyncFor) -> bool:
        """Whether the body of a loop is built once and runs many times; one of a single iteration does not count."""
        call = node.iter
        if not isinstance(call, ast.Call):
            return False
        plain = isinstance(call.func, ast.Name) and call.func.id == "range"
        if not plain and self.names.tile(call.func) not in LOOPS:
            return False
        return not (len(call.args) == 1 and isinstance(call.args[0], ast.Constant) and call.args[0].value == 1)

    def _is_element(self, node: ast.Subscript) -> bool:
        if not (isinstance(node.value, ast.Name) and node.value.id in self.buffers):
            return False
        indices = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        return not any(isinstance(index, (ast.Slice, ast.Starred)) for index in indices)

    def _parameters(self) -> None:
        arguments = self.function.args
        for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]:
            annotation = argument.annotation
            head = annotation.func if isinstance(annotation, ast.Call) else annotation
            head = head.value if isinstance(head, ast.Subscript) else head
            name = self.names.tile(head) if head is not None else None
            if name in TENSORS:
                self.buffers.add(argument.arg)
            elif name is not None and isinstance(annotation, ast.Attribute) and _is_scalar(name):
                self.values.add(argument.arg)

    def _bound(self) -> Iterator[tuple[str, ast.AST]]:
        """Each binding of a name in the function's own body: with the value's node, or the loop or launch."""
        for statement in statements(self.function.body, functions=False):
            if isinstance(statement, ast.Assign):
                for target in statement.targets:
                    yield from _pairs(target, statement.value)
            elif isinstance(statement, (ast.AnnAssign, ast.AugAssign, ast.For, ast.AsyncFor)):
                yield from _pairs(statement.target, statement)
            elif isinstance(statement, (ast.With, ast.AsyncWith)):
                for item in statement.items:
                    if item.optional_vars is not None:
                        yield from _pairs(item.optional_vars, item.context_expr)
            elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                yield statement.name, statement
        for node in ast.walk(ast.Module(self.function.body, [])):
            if isinstance(node, ast.NamedExpr):
                yield node.target.id, node.value

    def _binds_expression(self, value: ast.AST) -> bool:
        if isinstance(value, (ast.For, ast.AsyncFor)):
            call = value.iter
            return isinstance(call, ast.Call) and self.names.tile(call.func) in LOOPS
        if isinstance(value, ast.Call) and self.names.tile(value.func) in _LAUNCHES:
            return True
        return isinstance(value, ast.expr) and self.is_expression(value)

    def _allocator(self, value: ast.AST) -> str | None:
        name = self.names.tile(value.func) if isinstance(value, ast.Call) else None
        return name if name in ALLOCATORS else None


def _pairs(target: ast.expr, value: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Starred):
        yield from _pairs(target.value, value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        values = value.elts if isinstance(value, (ast.Tuple, ast.List)) else [value] * len(target.elts)
        for one, its in zip(target.elts, values, strict=False):
            yield from _pairs(one, its)


def _is_scalar(name: str) -> bool:
    return dtype_name(name) is not None
