"""Statements in order over a scope: assignments, branches and loops, without executing the user's code."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from . import loops, objects
from .assigned import changed_in_place, forget, forget_changes
from .evaluate import Evaluator
from .follower import BREAKS, CONTINUES, ENDS, Follower
from .in_place import change, holds
from .operators import binary
from .values import UNKNOWN, Class, Env, Function, Namespace, Tensor, Value, bind_target, is_plain

Visit = Callable[[ast.stmt, Env], None]

_DEPTH = 120
"""Python allows a hundred levels of indentation; ``elif`` chains do not count."""


class Flow:
    """Runs statements over a scope. ``visit`` sees every statement before it takes effect, with the scope as it is
    there. With a ``follower``, short loops over known values are gone through pass by pass, and a call in the first
    pass of a longer one does happen; without, what a loop changes is not known in it. ``returned`` and ``yielded``
    collect what may be returned and is yielded; ``vague`` says that there may be more or less of the latter."""

    def __init__(self, evaluator: Evaluator, visit: Visit | None = None, follower: Follower | None = None) -> None:
        self._evaluator = evaluator
        self._visit = visit
        self.follower = follower
        self.returned: list[Value] = []
        self.yielded: list[Value] = []
        self.vague = False
        self._owner: Function | None = None
        self._depth = 0
        self._uncertain = 0
        self.left_early = False

    def run(self, body: Sequence[ast.stmt], env: Env, owner: Function | None = None) -> int:
        """Run a body in ``env``, which it changes; ``owner`` is the function it belongs to. Not 0 when what follows
        is certainly not reached: ENDS, BREAKS or CONTINUES."""
        outer, self._owner = self._owner, owner or self._owner
        self._depth += 1
        try:
            if self._depth <= _DEPTH:
                for statement in body:
                    if ended := self._statement(statement, env):
                        return ended
            return 0
        finally:
            self._owner = outer
            self._depth -= 1

    def _statement(self, node: ast.stmt, env: Env) -> int:
        if self._visit is not None:
            self._visit(node, env)
        handler = _STATEMENTS.get(type(node))
        return (handler(self, node, env) or 0) if handler is not None else 0

    def _value(self, node: ast.expr | None, env: Env) -> Value:
        return self._evaluator.value(node, env)

    def bind(self, target: ast.expr, value: Value, env: Env) -> None:
        bind_target(target, value, env, self._stored)

    def _stored(self, target: ast.expr, value: Value, env: Env) -> None:
        """``self.x = value`` and ``x[0] = value``."""
        if isinstance(target, ast.Attribute):
            certain = self._evaluator.uncertain == 0
            objects.assign(self._value(target.value, env), target.attr, value, certain=certain)
        elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            name = target.value.id
            base = env.get(name)
            key = self._value(target.slice, env)
            certain = not self._uncertain and not holds(value, base)
            if isinstance(base, dict) and certain and isinstance(key, (str, int, bool)):
                base[key] = value
            elif not isinstance(base, Tensor):  # which keeps its shape, whatever is written into it
                env.set(name, UNKNOWN)

    def _assign(self, node: ast.Assign, env: Env) -> None:
        value = self._value(node.value, env)
        for target in node.targets:
            self.bind(target, value, env)

    def _annotated(self, node: ast.AnnAssign, env: Env) -> None:
        if node.value is not None:
            self.bind(node.target, self._value(node.value, env), env)

    def _augmented(self, node: ast.AugAssign, env: Env) -> None:
        value = self._value(node.value, env)
        if isinstance(node.target, ast.Name):
            before = env.get(node.target.id)
            env.set(node.target.id, before if isinstance(before, Tensor) else binary(node.op, before, value))
        elif isinstance(node.target, ast.Attribute):
            self._stored(node.target, binary(node.op, self._value(node.target, env), value), env)

    def _expression(self, node: ast.Expr, env: Env) -> None:
        if isinstance(node.value, ast.Yield):
            self.yielded.append(self._value(node.value.value, env))
            self.vague = self.vague or self._uncertain > 0
            return
        name = changed_in_place(node)
        base = env.get(name) if name is not None else None
        if name is not None and isinstance(base, (list, dict)):
            given = self._evaluator.arguments(node.value, env) if isinstance(node.value, ast.Call) else None
            certain = self.follower is not None and not self._uncertain
            if given is None or not change(node.value, base, given, certain=certain):
                env.set(name, UNKNOWN)
        elif self._evaluator.thorough or not self._evaluator.names.tile(getattr(node.value, "func", node.value)):
            self._value(node.value, env)

    def _return(self, node: ast.Return, env: Env) -> int:
        self.returned.append(None if node.value is None else self._value(node.value, env))
        return ENDS

    def _raise(self, node: ast.Raise, env: Env) -> int:
        self._value(node.exc, env)
        return ENDS

    def _assert(self, node: ast.Assert, env: Env) -> None:
        self._value(node.test, env)

    def _break(self, _node: ast.Break, _env: Env) -> int:
        self.left_early = self.left_early or self._uncertain > 0
        return BREAKS

    def _continue(self, _node: ast.Continue, _env: Env) -> int:
        self.left_early = self.left_early or self._uncertain > 0
        return CONTINUES

    def _if(self, node: ast.If, env: Env) -> int:
        """An ``elif`` chain is followed in a loop: it may be longer than Python's stack is deep."""
        ends: list[tuple[Env, int]] = []
        rest: Sequence[ast.stmt] = [node]
        certain = True
        while len(rest) == 1 and isinstance(rest[0], ast.If):
            branch = rest[0]
            test = self._test(branch.test, env)
            rest = branch.orelse
            if test is False:
                self._untaken(branch.body, env)
                continue
            certain = certain and test is True
            scope = env if certain else env.copy()
            ends.append((scope, self.perhaps(branch.body, scope, certain=certain)))
            if test is True:
                self._untaken(rest, env)
                break
        else:
            scope = env.copy() if ends else env
            ends.append((scope, self.perhaps(rest, scope, certain=certain)))
        going_on = [scope for scope, ended in ends if not ended]
        _join(env, going_on)
        kinds = {ended for _, ended in ends}
        if going_on:
            return 0
        return kinds.pop() if len(kinds) == 1 else CONTINUES if kinds - {ENDS} else ENDS

    def _untaken(self, body: Sequence[ast.stmt], env: Env) -> None:
        if self.follower is not None and body:
            self.follower.untaken(body, env.copy(), self._owner)

    def perhaps(self, body: Sequence[ast.stmt], env: Env, *, certain: bool = False) -> int:
        """Run a body that may not be reached."""
        if certain:
            return self.run(body, env)
        self._uncertain += 1
        self._evaluator.uncertain += 1
        try:
            return self.run(body, env)
        finally:
            self._uncertain -= 1
            self._evaluator.uncertain -= 1

    def _test(self, node: ast.expr, env: Env) -> bool | None:
        if isinstance(node, ast.Compare) and isinstance(node.left, ast.Name) and node.left.id == "__name__":
            return env.get("__name__") in ("__main__", UNKNOWN)
        value = self._value(node, env)
        if isinstance(value, (Function, Class, Namespace)):
            return True
        return bool(value) if is_plain(value) else None

    def _for(self, node: ast.For | ast.AsyncFor, env: Env) -> int:
        return loops.run_for(self, node, env, self._value(node.iter, env))

    def _while(self, node: ast.While, env: Env) -> None:
        forget_changes(node.body, env)
        self._value(node.test, env)
        self.perhaps(node.body, env)
        forget_changes(node.body, env)
        self.run(node.orelse, env)

    def _with(self, node: ast.With | ast.AsyncWith, env: Env) -> int:
        contexts = self._evaluator.contexts
        outside = len(contexts)
        for item in node.items:
            call = item.context_expr
            if isinstance(call, ast.Call) and (self._evaluator.names.dotted(call.func) or "").endswith(
                ".PassContext"
            ):
                contexts.append((call, self._evaluator.arguments(call, env)))
            else:
                self._value(call, env)
            if item.optional_vars is not None:
                bind_target(item.optional_vars, UNKNOWN, env)
        try:
            return self.run(node.body, env)
        finally:
            del contexts[outside:]

    def _try(self, node: ast.Try, env: Env) -> int:
        before = env.copy()
        ended = self.run(node.body, env) or self.run(node.orelse, env)
        ends = [] if ended else [env.copy()]
        for handler in node.handlers:
            scope = before.copy()
            if not self.perhaps(handler.body, scope):
                ends.append(scope)
        _join(env, ends)
        return self.run(node.finalbody, env) or (0 if ends else ended)

    def _match(self, node: ast.Match, env: Env) -> None:
        self._value(node.subject, env)
        scopes = [env.copy() for _ in node.cases]
        for case, scope in zip(node.cases, scopes, strict=True):
            forget(
                (part.name for part in ast.walk(case.pattern) if isinstance(part, ast.MatchAs) and part.name), scope
            )
            self.perhaps(case.body, scope)
        _join(env, [env.copy(), *scopes])

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, env: Env) -> None:
        function = Function(node, env, self._owner, self._evaluator.names)
        env.set(node.name, function)
        if self.follower is not None:
            self.follower.defined(function)

    def _class(self, node: ast.ClassDef, env: Env) -> None:
        members = Env(parent=env)
        self.run(node.body, members)
        kind = objects.define(
            node, members, tuple(self._value(base, env) for base in node.bases), self._evaluator.names
        )
        env.set(node.name, kind)
        if self.follower is not None:
            self.follower.classed(kind)


_STATEMENTS: dict[type[ast.stmt], Callable[..., int | None]] = {
    ast.Assign: Flow._assign,
    ast.AnnAssign: Flow._annotated,
    ast.AugAssign: Flow._augmented,
    ast.Expr: Flow._expression,
    ast.Return: Flow._return,
    ast.Raise: Flow._raise,
    ast.Break: Flow._break,
    ast.Continue: Flow._continue,
    ast.Assert: Flow._assert,
    ast.If: Flow._if,
    ast.For: Flow._for,
    ast.AsyncFor: Flow._for,
    ast.While: Flow._while,
    ast.With: Flow._with,
    ast.AsyncWith: Flow._with,
    ast.Try: Flow._try,
    ast.Match: Flow._match,
    ast.FunctionDef: Flow._function,
    ast.AsyncFunctionDef: Flow._function,
    ast.ClassDef: Flow._class,
}
if hasattr(ast, "TryStar"):
    _STATEMENTS[ast.TryStar] = Flow._try


def _join(env: Env, ends: list[Env]) -> None:
    """Make ``env`` what all ``ends`` agree on; without any, what follows is not reached and stays as it was."""
    if not ends:
        return
    joined = ends[0]
    for other in ends[1:]:
        merged = Env({}, env.parent)
        merged.merge(joined, other)
        joined = merged
    env.values = joined.values
