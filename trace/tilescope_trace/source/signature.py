"""The parameters of a kernel: what has a default, what is a tensor, what ``T.const`` declares."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from .names import Names, split_names
from .syntax import statements
from .tolerant import Parsed

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef

TENSOR_TYPES = frozenset(
    {"Tensor", "StridedTensor", "Buffer", "SharedBuffer", "FragmentBuffer", "LocalBuffer", "ptr", "Ptr", "handle"}
)


@dataclass(frozen=True, eq=False)
class Parameter:
    """A parameter of a function that has to be called. ``default`` and ``annotation`` are texts; ``function`` the
    function it belongs to (None for a ``T.const`` name)."""

    name: str
    default: str | None = None
    annotation: str | None = None
    default_node: ast.expr | None = None
    function: FunctionNode | None = None

    @property
    def required(self) -> bool:
        return self.default is None


def parameters(function: FunctionNode, parsed: Parsed, *, skip_first: bool = False) -> tuple[Parameter, ...]:
    """The parameters in order, without ``*args`` and ``**kwargs``."""
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    padding: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    pairs = [
        *zip(positional, [*padding, *arguments.defaults], strict=True),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]
    return tuple(
        Parameter(
            name=argument.arg,
            default=parsed.source(default) if default is not None else None,
            annotation=parsed.source(argument.annotation) if argument.annotation is not None else None,
            default_node=default,
            function=function,
        )
        for argument, default in pairs[1 if skip_first else 0 :]
    )


def tensor_type(annotation: ast.expr | None, names: Names) -> ast.Call | ast.Subscript | ast.expr | None:
    """The annotation itself where it declares a tensor or buffer of the tile language."""
    if annotation is None:
        return None
    head = annotation
    if isinstance(head, ast.Call):
        head = head.func
    elif isinstance(head, ast.Subscript):
        head = head.value
    return annotation if names.tile(head) in TENSOR_TYPES else None


def tensors(function: FunctionNode, names: Names) -> dict[str, ast.expr | None]:
    """The tensor parameters of an eager kernel with their annotations, from its signature or from annotation
    statements in its body. A parameter that is neither annotated nor given a default is a tensor too."""
    in_body = {
        statement.target.id: statement.annotation
        for statement in statements(function.body, functions=False)
        if isinstance(statement, ast.AnnAssign)
        and isinstance(statement.target, ast.Name)
        and tensor_type(statement.annotation, names) is not None
    }
    arguments = function.args
    found: dict[str, ast.expr | None] = {}
    for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]:
        if argument.arg in in_body:
            found[argument.arg] = in_body[argument.arg]
        elif tensor_type(argument.annotation, names) is not None:
            found[argument.arg] = argument.annotation
    return found


def constants(function: FunctionNode, names: Names) -> tuple[str, ...]:
    """The names ``T.const`` declares in an eager kernel, in order."""
    return tuple(dict.fromkeys(_const_names(function, names)))


def _const_names(function: FunctionNode, names: Names) -> Iterator[str]:
    for statement in statements(function.body, functions=False):
        value = statement.value if isinstance(statement, (ast.Assign, ast.AnnAssign)) else None
        for call in value.elts if isinstance(value, ast.Tuple) else [value]:
            if isinstance(call, ast.Call) and names.tile(call.func) == "const":
                text = call.args[0].value if call.args and isinstance(call.args[0], ast.Constant) else None
                yield from split_names(text) if isinstance(text, str) else ()
