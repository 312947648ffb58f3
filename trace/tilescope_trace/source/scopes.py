"""The names a kernel's body sees: the module's, and those of the factories around it, called with given values."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from .calls import default_scope
from .discover import KernelSource
from .evaluate import Evaluator
from .flow import Flow
from .values import UNKNOWN, Env, Function, Value


def body_scope(kernel: KernelSource, values: Mapping[str, Value], evaluator: Evaluator, module: Env) -> Env | None:
    """A scope to run a kernel's body in; None where these values never lead to this kernel (it stands in a branch
    that is not taken)."""
    around = Env({name: value for name, value in values.items() if name not in kernel.consts}, module)
    env = module
    for index, node in enumerate(kernel.functions):
        last = index == len(kernel.functions) - 1
        env = default_scope(Function(node, env), evaluator)
        if not (last and kernel.prim_func):
            names = [name for name in env.values if name in around.values]
            env.values.update({name: around.values[name] for name in names})
        if last:
            break
        reached = _scope_at(kernel.functions[index + 1], node.body, env, evaluator)
        if reached is None:
            return None
        env = reached
    for name in kernel.consts:
        env.set(name, values.get(name, UNKNOWN))
    return env


def _scope_at(wanted: ast.stmt, body: list[ast.stmt], env: Env, evaluator: Evaluator) -> Env | None:
    """The scope as it is where ``wanted`` is defined."""
    found: list[Env] = []

    def visit(node: ast.stmt, scope: Env) -> None:
        if node is wanted:
            found.append(scope)

    Flow(evaluator, visit).run(body, env)
    return found[0] if found else None
