"""What a plain helper of the file returns for known arguments (``get_configs()``, ``pick_block(M)``)."""

from __future__ import annotations

import ast

from .evaluate import Arguments, Evaluator
from .flow import Flow
from .names import Names
from .parameters import bind, default_scope
from .values import UNKNOWN, Function, Outcome, Value

_DEEPEST = 4
_MOST = 200
"""Helpers run for one file: a file that calls more of them is not worth the wait."""
_TRANSPARENT = frozenset({"functools.lru_cache", "functools.cache"})


class Inliner:
    """Runs helpers over a scope of their own. A result is known only where exactly one ``return`` is certain."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._evaluator = Evaluator(names, self)
        self._depth = 0
        self._left = _MOST

    def __call__(self, _node: ast.Call, target: Function | Outcome, given: Arguments, /) -> Value:
        """As ``on_call`` of an Evaluator."""
        return UNKNOWN if isinstance(target, Outcome) else self.result(target, given)

    def result(self, function: Function, given: Arguments) -> Value:
        """What calling ``function`` returns, UNKNOWN where it may be one thing or another."""
        if given.opaque or self._depth >= _DEEPEST or self._left <= 0 or not self._is_plain(function):
            return UNKNOWN
        scope = default_scope(function, self._evaluator)
        scope.values.update(bind(function.node, given))
        flow = Flow(self._evaluator)
        self._depth += 1
        self._left -= 1
        ended = flow.run(function.node.body, scope)
        self._depth -= 1
        return flow.returned[0] if ended and len(flow.returned) == 1 else UNKNOWN

    def _is_plain(self, function: Function) -> bool:
        heads = [node.func if isinstance(node, ast.Call) else node for node in function.node.decorator_list]
        return isinstance(function.node, ast.FunctionDef) and all(
            self._names.dotted(head) in _TRANSPARENT for head in heads
        )
