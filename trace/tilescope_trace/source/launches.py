"""What launching a kernel gives back: the tensors its ``out_idx`` names, or those an eager kernel returns."""

from __future__ import annotations

import ast
from functools import reduce

from .declared import declared_tensor
from .discover import KernelSource
from .evaluate import Evaluator
from .flow import Flow, Visit
from .parameters import default_scope
from .sites import CallSite
from .values import UNKNOWN, Env, Function, Outcome, Reference, Tensor, Value, agreed


def launched(outcome: Outcome, evaluator: Evaluator) -> Value:
    """The result of launching the kernel that a factory's call gave."""
    kernel = outcome.kernel
    if kernel is None or isinstance(kernel.node, ast.Lambda):
        return UNKNOWN
    chosen = outcome.call.results
    arguments = [*kernel.node.args.posonlyargs, *kernel.node.args.args]
    indices = chosen if isinstance(chosen, (list, tuple)) else [chosen]
    if not all(type(index) is int and -len(arguments) <= index < len(arguments) for index in indices):
        return UNKNOWN
    made = [declared_tensor(arguments[index].annotation, kernel.scope, evaluator) for index in indices]
    return made[0] if len(made) == 1 else made


def returned(kernel: KernelSource, function: Function, site: CallSite, evaluator: Evaluator) -> Value:
    """The result of launching an eager kernel: what stands before its launch says the shapes (``T.empty``)."""
    consts = {name: site.values.get(name, UNKNOWN) for name in kernel.consts}
    found = _before_launch(kernel, function, site, evaluator, consts)
    return reduce(agreed, found) if found else None


def extents(kernel: KernelSource, function: Function, site: CallSite, evaluator: Evaluator) -> dict[str, Value]:
    """The ``T.const`` names of an eager kernel, from the shapes of the tensors it is called with."""
    wanted = {name for name in kernel.consts if name not in site.given}
    if not wanted or not any(isinstance(value, Tensor) for value in site.given.values()):
        return {}
    names = {Reference(f"const {name}"): name for name in wanted}
    consts: dict[str, Value] = {name: reference for reference, name in names.items()}
    found: dict[str, Value] = {}

    def visit(node: ast.stmt, scope: Env) -> None:
        if not (isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)):
            return
        tensor = site.given.get(node.target.id)
        declared = declared_tensor(node.annotation, scope, evaluator)
        if isinstance(tensor, Tensor) and isinstance(declared, Tensor):
            if tensor.shape is UNKNOWN or declared.shape is UNKNOWN:
                return
            for extent, value in zip(declared.shape, tensor.shape, strict=False):
                if isinstance(extent, Reference) and extent in names and value is not UNKNOWN:
                    found.setdefault(names[extent], value)

    _before_launch(kernel, function, site, evaluator, consts, visit)
    return found


def _before_launch(
    kernel: KernelSource,
    function: Function,
    site: CallSite,
    evaluator: Evaluator,
    consts: dict[str, Value],
    visit: Visit | None = None,
) -> list[Value]:
    """Run the statements of an eager kernel that do not belong to its launch; what it may return."""
    before, evaluator.consts = evaluator.consts, consts
    names, evaluator.names = evaluator.names, function.names or evaluator.names
    try:
        scope = default_scope(function, evaluator)
        scope.values.update(site.given)
        flow = Flow(evaluator, visit)
        flow.run([each for each in kernel.body.body if not isinstance(each, (ast.With, ast.For))], scope)
    finally:
        evaluator.consts, evaluator.names = before, names
    return flow.returned


def out_index(jit: ast.Call | None, scope: Env, evaluator: Evaluator) -> Value:
    """What ``@tilelang.jit(out_idx=...)`` says; UNKNOWN where it says nothing."""
    return UNKNOWN if jit is None else evaluator.arguments(jit, scope).kwargs.get("out_idx", UNKNOWN)
