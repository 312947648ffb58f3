"""Pipelined loops as rules see them: what is in them, what became of them, and what their author has turned off."""

from __future__ import annotations

import ast
import re

from tilescope_trace.source.nodes import nodes
from tilescope_worker.wire.facts import Operation

from .check import Subject

_ARCHITECTURE = re.compile(r"cuda:sm_(\d+)")
_SHARED = ("shared", "shared.dyn")


def sm(subject: Subject) -> int | None:
    """The number of a CUDA target's architecture (90 for ``cuda:sm_90a``), None for other targets."""
    found = _ARCHITECTURE.match(subject.architecture)
    return int(found[1]) if found else None


def is_lowered(subject: Subject) -> bool:
    """Whether instructions are known."""
    return subject.kernel.stage in ("lowered", "registers")


def is_off(subject: Subject, *keys: str) -> bool:
    """Whether the kernel's pass configs have one of ``keys`` switched on, as a switch that turns something off."""
    configs = subject.kernel.specialization.pass_configs
    return any(configs.get(key) in (True, 1, "True", "true") for key in keys)


def pipelines(subject: Subject) -> list[Operation]:
    """The loops that their author wants pipelined, in the order of their lines."""
    found = [
        loop
        for loop in subject.operations("pipeline")
        if isinstance(loop.detail.get("num_stages"), int) and loop.detail["num_stages"] >= 1
    ]
    return sorted(found, key=lambda loop: loop.line or 0)


def is_specialized(loop: Operation) -> bool:
    """Whether its copies and its work are done by different warps."""
    return bool(loop.detail.get("producer_threads"))


def inside(subject: Subject, loop: Operation) -> list[Operation]:
    """The copies, matrix operations and parallel loops in the body of a loop, in program order; those of loops within
    belong to both. Empty where the text does not show the body, as in a macro of another file."""
    body = _body(subject.tree, loop.line)
    if body is None:
        return []
    first, last = body
    found = subject.operations("copy", "gemm", "parallel", "reduce", "fill", "atomic", "other")
    return [one for one in found if first <= (one.line or 0) <= last]


def loads(operations: list[Operation]) -> list[Operation]:
    """The copies from global to shared memory among them."""
    return [
        one
        for one in operations
        if one.kind == "copy" and one.detail.get("src_scope") == "global" and one.detail.get("dst_scope") in _SHARED
    ]


def asked_otherwise(subject: Subject, copy: Operation) -> bool:
    """Whether the author has chosen the instruction of a copy in its call."""
    if "operation" in copy.detail:
        return True  # T.async_copy, T.tma_copy
    calls = [node for node in nodes(subject.tree, ast.Call) if node.lineno == copy.line]
    return any(
        keyword.arg in ("disable_tma", "prefer_instruction", "force_cp_async")
        for call in calls
        for keyword in call.keywords
    )


def _body(tree: ast.Module | None, line: int | None) -> tuple[int, int] | None:
    for node in nodes(tree, ast.For):
        if line in (node.lineno, node.iter.lineno):
            return node.body[0].lineno, node.end_lineno or node.lineno
    return None
