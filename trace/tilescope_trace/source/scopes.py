"""The names a kernel's body sees: the module's, and those of the factories around it, called with given values."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from .discover import KernelSource
from .evaluate import Evaluator
from .flow import Flow
from .parameters import default_scope
from .signature import FunctionNode
from .values import Env, Function, Value


def body_scope(kernel: KernelSource, values: Mapping[str, Value], evaluator: Evaluator, module: Env) -> Env | None:
    """A scope to run a kernel's body in; None where these values never lead to this kernel (it stands in a branch
    that is not taken)."""
    env = module
    for node, inner in zip(kernel.functions, kernel.functions[1:], strict=False):
        reached = _scope_at(inner, node.body, _called(kernel, node, values, evaluator, env), evaluator)
        if reached is None:
            return None
        env = reached
    return _called(kernel, kernel.body, values, evaluator, env)


def parameter_scope(kernel: KernelSource, values: Mapping[str, Value], evaluator: Evaluator, module: Env) -> Env:
    """The same, but with nothing known besides parameters."""
    env = module
    for node in kernel.functions:
        env = _called(kernel, node, values, evaluator, env)
    return env


def _called(
    kernel: KernelSource, node: FunctionNode, values: Mapping[str, Value], evaluator: Evaluator, around: Env
) -> Env:
    env = default_scope(Function(node, around), evaluator)
    if node in kernel.callables:
        env.values.update({name: values[name] for name in env.values if name in values})
    return env


def _scope_at(wanted: ast.stmt, body: list[ast.stmt], env: Env, evaluator: Evaluator) -> Env | None:
    """The scope as it is where ``wanted`` is defined."""
    found: list[Env] = []

    def visit(node: ast.stmt, scope: Env) -> None:
        if node is wanted:
            found.append(scope)

    Flow(evaluator, visit).run(body, env)
    return found[0] if found else None
