"""A function's parameters in a scope: defaults, and the arguments of a call."""

from __future__ import annotations

import ast

from .call_arguments import Arguments
from .evaluate import Evaluator
from .values import UNKNOWN, Env, Function, Value

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def default_scope(function: Function, evaluator: Evaluator) -> Env:
    """A scope for a function's body: each parameter has its default, or is not known."""
    arguments = function.node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    env = Env(dict.fromkeys(names_of(function.node), UNKNOWN), function.scope)
    for argument, default in zip(
        positional[len(positional) - len(arguments.defaults) :], arguments.defaults, strict=True
    ):
        env.set(argument.arg, evaluator.value(default, function.scope))
    for argument, keyword_default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if keyword_default is not None:
            env.set(argument.arg, evaluator.value(keyword_default, function.scope))
    return env


def bind(node: FunctionNode, given: Arguments, more: tuple[str, ...] = ()) -> dict[str, Value]:
    """The arguments of a call by parameter name, those for ``*args`` and ``**kwargs`` under their names; what fits no
    parameter is left out, but for the keywords in ``more``."""
    arguments = node.args
    positional = [argument.arg for argument in [*arguments.posonlyargs, *arguments.args]]
    accepted = {*positional, *(argument.arg for argument in arguments.kwonlyargs), *more}
    bound = dict(zip(positional, given.args, strict=False))
    bound.update({name: value for name, value in given.kwargs.items() if name in accepted})
    if arguments.vararg is not None:
        bound[arguments.vararg.arg] = UNKNOWN if given.opaque else tuple(given.args[len(positional) :])
    if arguments.kwarg is not None:
        rest = {name: value for name, value in given.kwargs.items() if name not in accepted}
        bound[arguments.kwarg.arg] = UNKNOWN if given.opaque else rest
    return bound


def names_of(node: FunctionNode) -> list[str]:
    """The names of all parameters, ``*args`` and ``**kwargs`` too."""
    arguments = node.args
    extra = [argument for argument in (arguments.vararg, arguments.kwarg) if argument is not None]
    return [a.arg for a in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *extra]]
