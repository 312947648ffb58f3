"""The memory instructions of a lowered module, each with its place and the lanes that take part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from tilescope_worker.facts.ir import (
    Expression,
    Location,
    Statement,
    children,
    is_user_file,
    location,
    op_name,
    operands,
    prim_funcs,
)

from .expressions import UnreadableError, lanes_of
from .moves import Moves, Request
from .scope import Scope

_SERIAL = 0
"""TVM's ForKind of a loop that is neither unrolled nor vectorized."""
_LEAVES = frozenset({"Var", "IntImm", "FloatImm", "StringImm"})
_ADDRESSES = frozenset({"tvm_access_ptr", "access_ptr", "address_of"})


def requests_of(mod: Any) -> Iterator[tuple[Scope, list[Request]]]:
    """For each kernel of a module after vectorization its scope and its memory instructions in program order."""
    for func in prim_funcs(mod):
        walk = _Walk(func)
        walk.statement(func.body)
        yield walk.scope, walk.found


class _Walk:
    def __init__(self, func: Any) -> None:
        self.scope = Scope()
        self.found: list[Request] = []
        self._buffers: dict[Any, Any] = {buffer.data: buffer for buffer in func.buffer_map.values()}
        self._moves = Moves(self.scope, self._buffers)
        self._where: Location | None = None
        self._guards: list[str] = []
        self._hidden: list[str] = []
        self._loops = 0

    def statement(self, stmt: Statement) -> None:
        before, where = self._where, location(stmt)
        if where is not None and is_user_file(where.file):
            self._where = where
        kind = type(stmt).__name__
        if kind == "IfThenElse":
            self._branch(stmt)
        else:
            self._own(stmt, kind)
            loop = kind == "While" or (kind == "For" and int(stmt.kind) == _SERIAL)
            self._loops += loop
            for child in children(stmt):
                self.statement(child)
            self._loops -= loop
        self._where = before

    def _own(self, stmt: Statement, kind: str) -> None:
        """What a statement binds and does by itself."""
        if kind == "AttrStmt":
            if stmt.attr_key == "thread_extent":
                self.scope.bind_thread(stmt.node, stmt.value)
        elif kind == "For":
            self.scope.bind_loop(stmt)
        elif kind == "Bind":
            self._values(stmt.value)
            self.scope.bind_value(stmt.var, stmt.value)
        elif kind in ("AllocBuffer", "DeclBuffer"):
            self._buffers.setdefault(stmt.buffer.data, stmt.buffer)
        elif kind == "BufferStore":
            self._values(stmt.value)
            for index in stmt.indices:
                self._values(index)
            self._add(self._moves.access(stmt.buffer, stmt.indices, lanes_of(stmt.value), "write"))
        elif kind == "Evaluate":
            self._values(stmt.value)

    def _branch(self, stmt: Statement) -> None:
        self._values(stmt.condition)
        with self._where_holds(stmt.condition):
            self.statement(stmt.then_case)
        if stmt.else_case is not None:
            with self._where_holds(stmt.condition, negated=True):
                self.statement(stmt.else_case)

    @contextmanager
    def _where_holds(self, condition: Expression, *, negated: bool = False) -> Iterator[None]:
        """In a part that runs for lanes for which ``condition`` holds, or does not."""
        stack: list[str] = self._guards
        try:
            text = self.scope.text(condition)
            text = f"(not {text})" if negated else text
        except UnreadableError as reason:
            stack, text = self._hidden, str(reason)
        stack.append(text)
        try:
            yield
        finally:
            stack.pop()

    def _values(self, expression: Expression) -> None:
        """The instructions in an expression, in the order it is evaluated."""
        kind = type(expression).__name__
        if kind in _LEAVES:
            return
        if kind == "BufferLoad":
            for index in expression.indices:
                self._values(index)
            self._add(self._moves.access(expression.buffer, expression.indices, lanes_of(expression), "read"))
        elif kind == "Call":
            self._call(expression)
        else:
            for operand in operands(expression):
                self._values(operand)

    def _call(self, call: Expression) -> None:
        name = op_name(call).rpartition(".")[2]
        if name in _ADDRESSES:
            return
        if name == "if_then_else":
            condition, then, otherwise = call.args
            self._values(condition)
            with self._where_holds(condition):
                self._values(then)
            with self._where_holds(condition, negated=True):
                self._values(otherwise)
        elif name == "ptx_cp_async" and len(call.args) > 3:
            with self._where_holds(call.args[3]):
                self._add(self._moves.call(call, name))
        else:
            self._add(self._moves.call(call, name))
            if not self._moves.is_instruction(name):
                for operand in call.args:
                    self._values(operand)

    def _add(self, requests: Iterable[Request]) -> None:
        hidden = self._hidden[0] if self._hidden else None
        guards = tuple(self._guards)
        looped = self._loops > 0
        self.found += [
            replace(one, where=self._where, guards=guards, hidden=hidden, looped=looped) for one in requests
        ]
