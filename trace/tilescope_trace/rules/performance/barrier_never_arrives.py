"""TS407: a barrier is waited for and nothing arrives at it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tilescope_trace.rules import fixes
from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule
from tilescope_trace.source.nodes import nodes
from tilescope_trace.source.per_node import per_node

RULE = Rule(
    code="TS407",
    name="barrier-never-arrives",
    severity="warning",
    summary="A barrier is waited for and nothing arrives at it",
    doc="""\
A wait for phase 0 of a new barrier goes on when as many arrivals as its count were made, by `T.mbarrier_arrive`, a
copy or a `T.gemm` that is given the barrier.
""",
    example="""\
bar = T.alloc_barrier(128)
T.mbarrier_wait_parity(bar, 0)
""",
    why="""\
The kernel hangs: nothing ever completes the phase, and the launch does not return until the process is killed.
""",
    fix="Arrive at the barrier, or give it to the copy whose end is waited for.",
)

_WAITS = frozenset({"mbarrier_wait_parity", "barrier_wait"})
_BARRIERS = frozenset({"alloc_barrier", "alloc_cluster_barrier"})


def check(subject: Subject) -> Iterator[Fault]:
    """Barriers of the kernel whose name occurs in waits only, of which one is not for the phase before the first."""
    if not any(wait in subject.text for wait in _WAITS):
        return
    kernel = next((one for one in nodes(subject.tree, ast.FunctionDef) if one.lineno == subject.kernel.line), None)
    if kernel is None:
        return
    for name in sorted(_allocated(kernel)):
        waits = [
            call for call in _calls(kernel) if fixes.callee(call) in _WAITS and call.args and _is(call.args[0], name)
        ]
        uses = sum(isinstance(node, ast.Name) and node.id == name for node in ast.walk(kernel))
        first = next((call for call in waits if not _is_before_first(call)), None)
        if first is not None and uses == len(waits) + 1:
            yield Fault(
                f"{name} is waited for and nothing arrives at it: the kernel hangs here",
                first.lineno,
                name=name,
                help=f"arrive with T.mbarrier_arrive({name}), or give {name} to a copy",
            )


@per_node
def _allocated(kernel: ast.FunctionDef) -> set[str]:
    return {
        node.targets[0].id
        for node in ast.walk(kernel)
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
        if isinstance(node.value, ast.Call) and fixes.callee(node.value) in _BARRIERS
    }


def _calls(kernel: ast.FunctionDef) -> Iterator[ast.Call]:
    return (node for node in ast.walk(kernel) if isinstance(node, ast.Call))


def _is(node: ast.expr, name: str) -> bool:
    inner = node.value if isinstance(node, ast.Subscript) else node
    return isinstance(inner, ast.Name) and inner.id == name


def _is_before_first(call: ast.Call) -> bool:
    """Whether a wait may be for parity 1, that of the phase before the first, which a new barrier has completed."""
    parity = call.args[1] if len(call.args) > 1 else fixes.keyword(call, "parity")
    return not isinstance(parity, ast.Constant) or parity.value != 0
