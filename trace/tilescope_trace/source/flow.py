"""Statements in order over a scope: assignments, branches and loops, without executing the user's code."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence

from .evaluate import Evaluator
from .operators import binary
from .values import UNKNOWN, Env, Function, Value, bind_target, is_plain

Visit = Callable[[ast.stmt, Env], None]

_DEPTH = 120
"""Python allows a hundred levels of indentation; ``elif`` chains do not count."""


class Flow:
    """Runs statements over a scope. ``visit`` sees every statement before it takes effect, with the scope as it is
    there; ``defined`` every function. With ``first_pass``, loops over known values show their first pass (a call in
    it does happen); without, what a loop changes is not known in it. ``returned`` collects what may be returned."""

    def __init__(
        self,
        evaluator: Evaluator,
        visit: Visit | None = None,
        defined: Callable[[Function], None] | None = None,
        *,
        first_pass: bool = False,
    ) -> None:
        self._evaluator = evaluator
        self._visit = visit
        self._defined = defined
        self._first_pass = first_pass
        self.returned: list[Value] = []
        self._owner: Function | None = None
        self._depth = 0

    def run(self, body: Sequence[ast.stmt], env: Env, owner: Function | None = None) -> bool:
        """Run a body in ``env``, which it changes; ``owner`` is the function it belongs to. True when it certainly
        returns or raises."""
        outer, self._owner = self._owner, owner or self._owner
        self._depth += 1
        try:
            return self._depth <= _DEPTH and any(self._statement(statement, env) for statement in body)
        finally:
            self._owner = outer
            self._depth -= 1

    def _statement(self, node: ast.stmt, env: Env) -> bool:
        if self._visit is not None:
            self._visit(node, env)
        handler = _STATEMENTS.get(type(node))
        return bool(handler(self, node, env)) if handler is not None else False

    def _value(self, node: ast.expr | None, env: Env) -> Value:
        return self._evaluator.value(node, env)

    def _assign(self, node: ast.Assign, env: Env) -> None:
        value = self._value(node.value, env)
        for target in node.targets:
            bind_target(target, value, env)

    def _annotated(self, node: ast.AnnAssign, env: Env) -> None:
        if node.value is not None:
            bind_target(node.target, self._value(node.value, env), env)

    def _augmented(self, node: ast.AugAssign, env: Env) -> None:
        value = self._value(node.value, env)
        if isinstance(node.target, ast.Name):
            env.set(node.target.id, binary(node.op, env.get(node.target.id), value))

    def _expression(self, node: ast.Expr, env: Env) -> None:
        if self._evaluator.thorough or not self._evaluator.names.tile(getattr(node.value, "func", node.value)):
            self._value(node.value, env)
        if (name := _changed_in_place(node)) is not None and isinstance(env.get(name), (list, dict)):
            env.set(name, UNKNOWN)

    def _return(self, node: ast.Return, env: Env) -> bool:
        self.returned.append(None if node.value is None else self._value(node.value, env))
        return True

    def _raise(self, _node: ast.Raise, _env: Env) -> bool:
        return True

    def _assert(self, node: ast.Assert, env: Env) -> None:
        self._value(node.test, env)

    def _if(self, node: ast.If, env: Env) -> bool:
        """An ``elif`` chain is followed in a loop: it may be longer than Python's stack is deep."""
        ends: list[tuple[Env, bool]] = []
        rest: Sequence[ast.stmt] = [node]
        while len(rest) == 1 and isinstance(rest[0], ast.If):
            branch = rest[0]
            test = self._test(branch.test, env)
            rest = branch.orelse
            if test is False:
                continue
            scope = env if test is True and not ends else env.copy()
            ends.append((scope, self.run(branch.body, scope)))
            if test is True:
                break
        else:
            scope = env.copy() if ends else env
            ends.append((scope, self.run(rest, scope)))
        going_on = [scope for scope, ended in ends if not ended]
        _join(env, going_on)
        return not going_on

    def _test(self, node: ast.expr, env: Env) -> bool | None:
        if isinstance(node, ast.Compare) and isinstance(node.left, ast.Name) and node.left.id == "__name__":
            return True
        value = self._value(node, env)
        return bool(value) if is_plain(value) else None

    def _for(self, node: ast.For | ast.AsyncFor, env: Env) -> None:
        items = self._value(node.iter, env)
        item: object = UNKNOWN
        if self._first_pass and isinstance(items, (tuple, list, range)) and len(items):
            item = items[0]
        else:
            _forget(assigned(node.body), env)
        bind_target(node.target, item, env)
        self.run(node.body, env)
        _forget(assigned(node.body), env)
        bind_target(node.target, UNKNOWN, env)
        self.run(node.orelse, env)

    def _while(self, node: ast.While, env: Env) -> None:
        _forget(assigned(node.body), env)
        self._value(node.test, env)
        self.run(node.body, env)
        _forget(assigned(node.body), env)
        self.run(node.orelse, env)

    def _with(self, node: ast.With | ast.AsyncWith, env: Env) -> bool:
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

    def _try(self, node: ast.Try, env: Env) -> bool:
        before = env.copy()
        ended = self.run(node.body, env) or self.run(node.orelse, env)
        ends = [] if ended else [env.copy()]
        for handler in node.handlers:
            scope = before.copy()
            if not self.run(handler.body, scope):
                ends.append(scope)
        _join(env, ends)
        return self.run(node.finalbody, env) or not ends

    def _match(self, node: ast.Match, env: Env) -> None:
        self._value(node.subject, env)
        scopes = [env.copy() for _ in node.cases]
        for case, scope in zip(node.cases, scopes, strict=True):
            _forget(
                (part.name for part in ast.walk(case.pattern) if isinstance(part, ast.MatchAs) and part.name), scope
            )
            self.run(case.body, scope)
        _join(env, [env.copy(), *scopes])

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef, env: Env) -> None:
        function = Function(node, env, self._owner)
        env.set(node.name, function)
        if self._defined is not None:
            self._defined(function)

    def _class(self, node: ast.ClassDef, env: Env) -> None:
        self.run(node.body, Env(parent=env))
        env.set(node.name, UNKNOWN)


_STATEMENTS: dict[type[ast.stmt], Callable[..., bool | None]] = {
    ast.Assign: Flow._assign,
    ast.AnnAssign: Flow._annotated,
    ast.AugAssign: Flow._augmented,
    ast.Expr: Flow._expression,
    ast.Return: Flow._return,
    ast.Raise: Flow._raise,
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


def assigned(body: Iterable[ast.stmt]) -> Iterator[str]:
    """Names that statements assign, at any depth but not in inner functions."""
    pending: list[ast.AST] = list(body)
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                yield node.id
        elif isinstance(node, ast.Expr):
            if (name := _changed_in_place(node)) is not None:
                yield name
        elif isinstance(node, (ast.stmt, ast.Tuple, ast.List, ast.Starred, ast.withitem)):
            pending.extend(
                child
                for child in ast.iter_child_nodes(node)
                if not (isinstance(child, ast.expr) and isinstance(getattr(child, "ctx", ast.Load()), ast.Load))
            )
        elif isinstance(node, (ast.ExceptHandler, ast.match_case)):
            pending.extend(node.body)


def _changed_in_place(node: ast.Expr) -> str | None:
    """``x`` for ``x.append(1)``: a method called for what it does may change its object."""
    call = node.value
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name):
        return call.func.value.id
    return None


def _forget(names: Iterable[str], env: Env) -> None:
    for name in names:
        env.set(name, UNKNOWN)


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
