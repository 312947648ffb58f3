"""Whether a fault is there whatever the values are that were assumed for want of others: what the source proves.

What cannot be followed counts as dependent, so that a finding stays information."""

from __future__ import annotations

import ast
from collections.abc import Collection

from tilescope_trace.source.nodes import nodes
from tilescope_worker.dependence import depends, reads, value_depends

from .check import Subject
from .fixes import callee, keyword

_BRANCHES = (ast.If, ast.While, ast.Try, ast.IfExp, ast.Match)
_CHOOSING = (ast.BoolOp, ast.Lambda, ast.comprehension, ast.NamedExpr)


def names(subject: Subject) -> tuple[str, ...]:
    """The arguments that were assumed."""
    return tuple(name for name, one in subject.kernel.specialization.args.items() if one.origin == "assumed")


def said(subject: Subject) -> str:
    """``whatever M, N and K are``; empty where nothing is assumed."""
    *first, last = names(subject) or ("",)
    joined = f"{', '.join(first)} and {last} are" if first else f"{last} is"
    return f"whatever {joined}" if last else ""


def independent(subject: Subject, lines: Collection[int]) -> bool:
    """Whether the statements at ``lines``, and the conditions around them, depend on no assumed argument."""
    root = _root(subject)
    return root is not None and not any(depends((root,), (line,), names(subject)) for line in lines)


def stages_independent(subject: Subject, line: int) -> bool:
    """Whether the ``num_stages`` of the loop at ``line`` does not depend on an assumed argument."""
    root = _root(subject)
    for loop in nodes(subject.tree, ast.For):
        if root is not None and loop.lineno == line and isinstance(loop.iter, ast.Call):
            stages = keyword(loop.iter, "num_stages")
            return stages is not None and not value_depends((root,), reads(stages), names(subject))
    return False


def first_mentioned(subject: Subject, buffer: str, allocated: int, line: int) -> bool:
    """Whether the statement at ``line`` always stands in the kernel, does the same with other arguments, and is the
    first that mentions ``buffer`` after its allocation at ``allocated``: nothing can come before it."""
    kernel = next((one for one in nodes(subject.tree, ast.FunctionDef) if one.lineno == subject.kernel.line), None)
    if kernel is None:
        return False
    statements = [one for one in ast.walk(kernel) if isinstance(one, ast.stmt) and not hasattr(one, "body")]
    here = [one for one in statements if one.lineno <= line <= (one.end_lineno or one.lineno)]
    bindings = [
        one
        for one in statements
        if isinstance(one, ast.Assign)
        and one.lineno == allocated
        and [getattr(target, "id", None) for target in one.targets] == [buffer]
        and isinstance(one.value, ast.Call)
        and callee(one.value).startswith("alloc")
    ]
    if len(here) != 1 or len(bindings) != 1 or _in_branch(kernel, here[0]) or _in_branch(kernel, bindings[0]):
        return False
    if not _same_effect(subject, here[0]):
        return False
    mentions = [one for one in ast.walk(kernel) if isinstance(one, ast.Name) and one.id == buffer]
    others = [one for one in mentions if one is not bindings[0].targets[0]]
    return all(one.lineno >= here[0].lineno and isinstance(one.ctx, ast.Load) for one in others)


def _same_effect(subject: Subject, statement: ast.stmt) -> bool:
    """Whether no switch in a statement depends on an assumed argument: neither what its calls are given beside
    buffers (``clear_accum=first``) nor a choice within an expression. Indices and sizes may."""
    parts = list(ast.walk(statement))
    if any(isinstance(one, (*_BRANCHES, *_CHOOSING)) for one in parts):
        return False
    given: set[str] = set()
    for call in parts:
        if isinstance(call, ast.Call):
            for value in (call.func, *call.args, *(one.value for one in call.keywords)):
                given |= _outside_of_indices(value)
    root = _root(subject)
    given = {name for name in given if subject.buffer(name) is None}
    return root is not None and not value_depends((root,), given, names(subject))


def _outside_of_indices(node: ast.expr) -> set[str]:
    waiting: list[ast.AST] = [node]
    found = set()
    while waiting:
        one = waiting.pop()
        if isinstance(one, ast.Name):
            found.add(one.id)
        waiting += [one.value] if isinstance(one, ast.Subscript) else ast.iter_child_nodes(one)
    return found


def _in_branch(kernel: ast.FunctionDef, wanted: ast.stmt) -> bool:
    """Whether a statement is not executed, or not in its place, each time that the kernel is built."""
    inner = (*_BRANCHES, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
    return any(
        isinstance(one, inner) and one is not kernel and any(part is wanted for part in ast.walk(one))
        for one in ast.walk(kernel)
    )


def _root(subject: Subject) -> ast.FunctionDef | None:
    """The outermost function around the kernel."""
    line = subject.kernel.line
    around = [one for one in nodes(subject.tree, ast.FunctionDef) if one.lineno <= line <= (one.end_lineno or 0)]
    return min(around, key=lambda one: one.lineno, default=None)
