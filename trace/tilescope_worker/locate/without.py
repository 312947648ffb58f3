"""A kernel without some of its statements."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from tvm import tirx
from tvm.tirx.stmt_functor import ir_transform

from tilescope_worker.elaborate import Elaborated
from tilescope_worker.facts.ir import as_int

from .candidates import Candidate

_KINDS = ["tirx.Evaluate", "tirx.BufferStore", "tirx.IfThenElse", "tirx.For"]


def without(made: Elaborated, left_out: Collection[Candidate]) -> Elaborated:
    """``made`` with the given statements replaced by nothing; of an ``if``, only the condition is."""
    whole = {candidate.statement for candidate in left_out if candidate.kind != "condition"}
    conditions = [candidate.statement.condition for candidate in left_out if candidate.kind == "condition"]

    def drop(stmt: Any) -> Any:
        return tirx.Evaluate(0) if stmt in whole else None

    def accept(stmt: Any) -> Any:
        if type(stmt).__name__ == "For" and stmt.thread_binding is None and _is_nothing(stmt.body):
            return tirx.Evaluate(0)
        if type(stmt).__name__ == "IfThenElse" and any(stmt.condition.same_as(one) for one in conditions):
            return tirx.IfThenElse(tirx.const(True, "bool"), stmt.then_case, stmt.else_case)
        return None

    body = ir_transform(made.func.body, drop, accept, _KINDS)
    return replace(made, func=made.func.with_body(body, span=made.func.span))


def _is_nothing(stmt: Any) -> bool:
    if type(stmt).__name__ == "SeqStmt":
        return all(_is_nothing(inner) for inner in stmt.seq)
    return type(stmt).__name__ == "Evaluate" and as_int(stmt.value) is not None


def tainted(mentioned: frozenset[str], candidates: Collection[Candidate]) -> frozenset[str]:
    """Names of the buffers whose layouts may depend on statements that were left out and that mention some: these,
    and those of fragments that share an operation with such a fragment."""
    names = set(mentioned)
    fragments = {
        str(access.buffer.name)
        for candidate in candidates
        for access in candidate.accesses
        if str(access.buffer.scope()) == "local.fragment"
    } | {o.name for candidate in candidates for o in candidate.operands if o.scope == "local.fragment"}
    grown = True
    while grown:
        reached = {
            name
            for candidate in candidates
            if names & set(candidate.names) & fragments
            for name in candidate.names
            if name in fragments
        }
        grown = not reached <= names
        names |= reached
    return frozenset(names)
