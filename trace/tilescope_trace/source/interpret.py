"""Calls of the workspace's functions and classes, followed into their bodies with what is known of the arguments."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Protocol

from tilescope_worker.models import Model

from . import objects
from .call_arguments import Arguments, Compiled
from .evaluate import MOST_STEPS, Evaluator
from .flow import Flow
from .follower import ENDS
from .names import Names
from .parameters import bind, default_scope
from .signature import FunctionNode
from .sites import CallSite
from .values import UNKNOWN, Class, Env, Function, Instance, Outcome, Reference, Tensor, Value, agreed

_DEEPEST = 10
"""Calls within calls."""
_MOST_CALLS = 300
_MOST_PASSES = 1000
"""Calls followed and passes of loops gone through for one file: one that has more is not worth the wait."""
_TRANSPARENT = frozenset(
    {"lru_cache", "cache", "staticmethod", "classmethod", "property", "cached_property", "wraps"}
)
_QUIET = frozenset(
    {
        "no_grad",
        "inference_mode",
        "compile",
        "disable",
        "command",
        "custom_op",
        "custom_fwd",
        "custom_bwd",
        "contiguous",
    }
    | {
        "input_guard",
        "autocast_custom_fwd",
        "autocast_custom_bwd",
        "once_differentiable",
        "tensor_cache",
        "allow_in_graph",
    }
)
"""Decorators, by their last names, that leave what a function returns as it is."""


class Watcher(Protocol):
    """Who is told what happens while calls are followed."""

    def call(self, node: ast.expr, function: Function, given: Arguments) -> Value | None:
        """A function is called: its result where that is known without its body, None to follow it."""

    def result(self, function: Function, given: CallSite, value: Value) -> Value:
        """What the call of a function is to give, from what its body has returned."""

    def outcome(self, node: ast.expr, outcome: Outcome, given: Arguments) -> Value:
        """What an earlier call gave is called."""

    def defined(self, function: Function) -> None: ...

    def classed(self, kind: Class) -> None: ...

    def untaken(self, body: Sequence[ast.stmt], env: Env, owner: Function | None) -> None: ...

    def mark(self) -> int: ...

    def pass_ended(self, before: int, passes: int) -> bool: ...


class Interpreter:
    """Follows calls. Without a watcher it only tells results, and only of plain functions."""

    def __init__(
        self,
        names: Names,
        watcher: Watcher | None = None,
        on_compile: Compiled | None = None,
        module_member: Callable[[Names, str], Value] | None = None,
        device: Model | None = None,
    ) -> None:
        self.evaluator = Evaluator(
            names, self, on_compile, module_member=module_member, device=device, thorough=watcher is not None
        )
        self.followed: set[FunctionNode | ast.Lambda] = set()
        self._watcher = watcher
        self._depth = 0
        self._calls = _MOST_CALLS
        self._passes = _MOST_PASSES
        self._known: dict[object, tuple[Value, Function, CallSite]] = {}

    def allow(self) -> None:
        """Start anew with what may be followed: another file."""
        self._calls, self._passes = _MOST_CALLS, _MOST_PASSES
        self.evaluator.left = MOST_STEPS

    def __call__(self, node: ast.expr, target: Function | Outcome | Class, given: Arguments, /) -> Value:
        """As ``on_call`` of an Evaluator."""
        if isinstance(target, Outcome):
            return self._watcher.outcome(node, target, given) if self._watcher is not None else UNKNOWN
        if isinstance(target, Class):
            return self.instance(node, target, given)
        if self._watcher is not None:
            told = self._watcher.call(node, target, given)
            if told is not None:
                return told
        return self.follow(node, target, given)

    def instance(self, node: ast.expr, kind: Class, given: Arguments) -> Value:
        """The object that calling a class makes."""
        made = objects.generated(kind, given)
        if made is not None:
            after = kind.member("__post_init__")
            if isinstance(after, Function):
                self.follow(node, after, Arguments((made,)))
            return made
        if objects.is_enumeration(kind):
            return UNKNOWN
        instance = Instance(kind)
        initial = kind.member("__init__")
        if isinstance(initial, Function):
            whole = Arguments((instance, *given.args), given.kwargs, given.opaque)
            instance.made.update(list(bind(initial.node, whole).items())[1:])
            self.follow(node, initial, whole)
        return instance

    def follow(self, node: ast.expr, function: Function, given: Arguments) -> Value:
        """Run a function's body with arguments; UNKNOWN where its result may be one thing or another."""
        site = CallSite(function, bind(function.node, given), {}, node.lineno, given.opaque)
        if not self._worth(function):
            return self._result(function, site, UNKNOWN)
        key = (function.node, id(function.scope), _key(tuple(sorted(site.given.items()))))
        if key in self._known:
            return self._known[key][0]
        self._calls -= 1
        self._depth += 1
        try:
            value = self._result(function, site, self.body(function, site))
        except RecursionError:  # deep expressions in deep calls
            value = UNKNOWN
        finally:
            self._depth -= 1
        if not isinstance(value, (list, dict)):
            self._known[key] = (value, function, site)
        return value

    def body(self, function: Function, site: CallSite) -> Value:
        """What the body of a function returns in the scope of a call."""
        evaluator = self.evaluator
        outer, evaluator.names = evaluator.names, function.names or evaluator.names
        try:
            scope = default_scope(function, evaluator)
            scope.values.update(site.given)
            scope.call = site
            if isinstance(function.node, ast.Lambda):
                return evaluator.value(function.node.body, scope)
            self.followed.add(function.node)
            return self._returned(function, function.node, scope)
        finally:
            evaluator.names = outer

    def _returned(self, function: Function, node: FunctionNode, scope: Env) -> Value:
        flow = Flow(self.evaluator, follower=self if self._watcher is not None or self._depth else None)
        ended = flow.run(node.body, scope, function)
        if flow.yielded:
            return UNKNOWN if flow.vague else flow.yielded
        results = flow.returned if ended == ENDS else [*flow.returned, None]
        if not results:
            return UNKNOWN
        return reduce(agreed, results)

    def _result(self, function: Function, site: CallSite, value: Value) -> Value:
        return value if self._watcher is None else self._watcher.result(function, site, value)

    def _worth(self, function: Function) -> bool:
        if self._depth >= _DEEPEST or self._calls <= 0:
            return False
        if self._watcher is not None:
            return True
        return isinstance(function.node, (ast.FunctionDef, ast.Lambda)) and self.is_transparent(function)

    def is_transparent(self, function: Function) -> bool:
        """Whether what a function's body returns is what its call gives."""
        if isinstance(function.node, ast.Lambda):
            return True
        names = function.names or self.evaluator.names
        for decorator in function.node.decorator_list:
            head = decorator.func if isinstance(decorator, ast.Call) else decorator
            dotted = names.dotted(head) or (head.id if isinstance(head, ast.Name) else "")
            if dotted.rpartition(".")[2] not in _TRANSPARENT | _QUIET:
                return False
        return True

    # As the Follower of its flows.

    def defined(self, function: Function) -> None:
        if self._watcher is not None:
            self._watcher.defined(function)

    def classed(self, kind: Class) -> None:
        if self._watcher is not None:
            self._watcher.classed(kind)

    def untaken(self, body: Sequence[ast.stmt], env: Env, owner: Function | None) -> None:
        if self._watcher is not None:
            self._watcher.untaken(body, env, owner)

    def mark(self) -> int:
        return 0 if self._watcher is None else self._watcher.mark()

    def pass_ended(self, before: int, passes: int) -> bool:
        return self.step() and (self._watcher is None or self._watcher.pass_ended(before, passes))

    def step(self) -> bool:
        self._passes -= 1
        return self._passes > 0


def _key(value: Value) -> object:
    """Something hashable that is equal for equal values; objects that may change stand for themselves."""
    if isinstance(value, (tuple, list)):
        return (type(value), *map(_key, value))
    if isinstance(value, dict):
        return (dict, *((key, _key(item)) for key, item in value.items()))
    if isinstance(value, Tensor):
        return (Tensor, _key(value.shape), _key(value.dtype), value.contiguous)
    if value is None or isinstance(value, (str, int, float, Reference)):
        return (type(value), value)
    return id(value)
