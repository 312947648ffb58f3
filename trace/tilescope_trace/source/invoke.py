"""What a call in an expression does: functions and classes of the workspace, known functions, methods."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from . import builtins_known, device_known, objects
from .call_arguments import Arguments
from .names import language_member, split_names
from .parsers_known import new_parser
from .values import UNKNOWN, Class, Differentiable, Env, Function, Instance, Outcome, Partial, Value

if TYPE_CHECKING:
    from .evaluate import Evaluator

_COMPILES = frozenset({"compile", "get_tir", "get_kernel_source", "par_compile", "compile_aot"})
"""Methods of a jit object that take the kernel's arguments."""
_TRANSPARENT = frozenset(
    {"jit", "lazy_jit", "lru_cache", "cache", "autotune", "wraps", "compile", "no_grad", "update_wrapper"}
)
"""What gives the function it is given, as far as calls of it are concerned."""


def call(evaluator: Evaluator, node: ast.Call, env: Env, depth: int) -> Value:
    """The value of a call expression."""
    callee = node.func
    names = evaluator.names
    dotted = names.dotted(callee)
    imported = not isinstance(callee, ast.Name) or callee.id in names.bound
    if not evaluator.thorough and imported and dotted is not None and not builtins_known.may_be_known(dotted):
        return UNKNOWN
    given = evaluator.arguments(node, env, depth)
    if dotted is None and isinstance(callee, ast.Attribute):
        return _method(evaluator, node, evaluator.value(callee.value, env, depth), callee.attr, given)
    if isinstance(callee, ast.Attribute) and callee.attr in _COMPILES | {"apply"}:
        base = evaluator.value(callee.value, env, depth)
        if isinstance(base, (Function, Class)):
            return _method(evaluator, node, base, callee.attr, given)
    if isinstance(callee, ast.Call) and given.args and isinstance(given.args[0], (Function, Class)):
        last = (names.dotted(callee.func) or "").rpartition(".")[2]
        if last in _TRANSPARENT:  # jit(out_idx=-1)(factory)
            return given.args[0]
    target = evaluator.value(callee, env, depth)
    found = apply(evaluator, node, target, given)
    if found is not None:
        return found
    if isinstance(callee, ast.Name) and target is UNKNOWN and callee.id not in names.bound:
        result = builtins_known.builtin(callee.id, given.args, given.kwargs)
        if result is not UNKNOWN:
            return result
        if callee.id in ("getattr", "isinstance", "super", "next", "iter", "map", "filter"):
            return _reflection(evaluator, node, callee.id, given, env)
    return UNKNOWN if dotted is None else _library(evaluator, node, dotted, given)


def apply(evaluator: Evaluator, node: ast.expr, target: Value, given: Arguments) -> Value | None:
    """The result of calling a value; None for one that is none of the workspace's own things."""
    while isinstance(target, Partial):
        given = Arguments((*target.args, *given.args), {**target.kwargs, **given.kwargs}, given.opaque)
        target = target.function
    if isinstance(target, Differentiable):
        return _differentiable(evaluator, node, target.kind, given)
    if isinstance(target, Instance):
        method = target.kind.member("__call__")
        method = target.kind.member("forward") if method is UNKNOWN else method
        if not isinstance(method, Function):
            return UNKNOWN
        given, target = Arguments((target, *given.args), given.kwargs, given.opaque), method
    if isinstance(target, (Function, Outcome, Class)):
        return evaluator.on_call(node, target, given) if evaluator.on_call else UNKNOWN
    return None


def _method(evaluator: Evaluator, node: ast.Call, base: Value, name: str, given: Arguments) -> Value:
    if isinstance(base, Partial) and name in _COMPILES:
        given = Arguments((*base.args, *given.args), {**base.kwargs, **given.kwargs}, given.opaque)
        base = base.function
    if isinstance(base, Function):
        if name not in _COMPILES:
            return UNKNOWN
        return evaluator.on_call(node, base, given) if evaluator.on_call else UNKNOWN
    if isinstance(base, (Instance, Class)):
        member = objects.attribute(base, name)
        found = apply(evaluator, node, member, given)
        if found is not None:
            return found
        return objects.method(base, name, given) if isinstance(base, Instance) else UNKNOWN
    return builtins_known.method(base, name, given.args, given.kwargs)


def _differentiable(evaluator: Evaluator, node: ast.expr, kind: Class, given: Arguments) -> Value:
    """``Function.apply``: its ``forward``, and its ``backward`` with gradients of the results' shapes."""
    context = Instance(kind)
    result = apply(
        evaluator, node, kind.member("forward"), Arguments((context, *given.args), given.kwargs, given.opaque)
    )
    results = result if isinstance(result, tuple) else (result,)
    backward = kind.member("backward")
    if isinstance(backward, Function):
        apply(evaluator, node, backward, Arguments((context, *results)))
    return UNKNOWN if result is None else result


def _reflection(evaluator: Evaluator, node: ast.Call, name: str, given: Arguments, env: Env) -> Value:
    args = given.args
    if name == "getattr" and len(args) >= 2 and isinstance(args[1], str):
        return objects.attribute(args[0], args[1])
    if name == "isinstance" and len(args) == 2:
        return objects.is_instance(args[0], node.args[1])
    if name == "super" and not args:
        return objects.parent_of(env)
    if name in ("next", "iter") and args and isinstance(args[0], (list, tuple)) and args[0]:
        return args[0][0] if name == "next" else args[0]
    if name == "map" and len(args) == 2 and isinstance(args[1], (list, tuple)) and len(args[1]) <= 64:
        mapped = [apply(evaluator, node, args[0], Arguments((item,))) for item in args[1]]
        return UNKNOWN if any(item is None for item in mapped) else mapped
    return UNKNOWN


def _library(evaluator: Evaluator, node: ast.Call, dotted: str, given: Arguments) -> Value:
    first = given.args[0] if given.args else given.kwargs.get("func", UNKNOWN)
    last = dotted.rpartition(".")[2]
    if (
        isinstance(first, (Function, Outcome))
        and last in {"compile", "lower", "jit"}
        and dotted.startswith("tilelang")
    ):
        if evaluator.on_compile:
            evaluator.on_compile(node, first, given)
        return first
    if dotted == "functools.partial" and isinstance(first, (Function, Class, Outcome)):
        return Partial(first, given.args[1:], given.kwargs)
    if isinstance(first, (Function, Class)) and last in _TRANSPARENT:
        return first
    if isinstance(first, Function) and dotted in ("fire.Fire", "typer.run"):
        return apply(evaluator, node, first, Arguments())
    if isinstance(first, Class) and dotted in ("tyro.cli", "draccus.parse"):
        return apply(evaluator, node, first, Arguments())
    if last == "const" and language_member(dotted) is not None and isinstance(first, str):
        found = tuple(evaluator.consts.get(name, UNKNOWN) for name in split_names(first))
        return found if len(found) != 1 else found[0]
    if evaluator.device is not None:
        answer = device_known.function(dotted, given, evaluator.device)
        if answer is not UNKNOWN:
            return answer
    if dotted == "argparse.ArgumentParser":
        return new_parser()
    known = builtins_known.library(dotted, given.args, given.kwargs)
    if known is UNKNOWN and evaluator.on_call and evaluator.thorough:
        # A function handed to one of a library (a benchmark, a thread) is called by it, mostly with nothing.
        for value in (*given.args, *given.kwargs.values()):
            if isinstance(value, Function) and not isinstance(value.node, ast.Lambda):
                continue
            if isinstance(value, Function) and not (value.node.args.args or value.node.args.vararg):
                apply(evaluator, node, value, Arguments())
    return known
