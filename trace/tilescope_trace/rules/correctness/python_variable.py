"""TS328: a Python number is changed under a condition, or in a loop, of the running kernel."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tilescope_trace.rules import fixes
from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule
from tilescope_trace.source.constructs import Construct, constructs
from tilescope_worker.wire.facts import Fix

RULE = Rule(
    code="TS328",
    name="python-variable",
    severity="warning",
    summary="A Python number is changed under a condition, or in a loop, of the running kernel",
    doc="""\
A kernel's Python runs once, to build the program. A variable that holds a number of Python's is not part of the
program: an assignment to it takes place while the program is built, whatever a condition around it will be at run
time, and once for all iterations of a loop.
""",
    example="""\
phase = 0
for k in T.serial(8):
    T.mbarrier_wait_parity(bar, phase)
    phase ^= 1
""",
    why="""\
All eight iterations wait for phase 0: `phase ^= 1` is done once, after the only time that the body is built. In the
same way `x = 0`, `if i > 2: x = 1` leaves `x` at 1 for every `i`. The compiler says nothing.
""",
    fix="""\
Make it a variable of the kernel, `phase = T.alloc_var("int32", init=0)`, or compute it of the loop variable:
`k % 2`. For a value that depends on a condition: `x = T.if_then_else(i > 2, 1, 0)`.
""",
    ignore="""\
Where once is what is meant: a number that counts statements while the kernel is built, such as the next free barrier.
""",
)


def check(subject: Subject) -> Iterator[Fault]:
    """Rebindings that the source proves."""
    for one in constructs(subject.text, subject.kernel.line):
        if one.kind != "rebinding":
            continue
        when = "once for all iterations" if one.in_loop else "whatever the condition is"
        what = "loop" if one.in_loop else "condition"
        yield Fault(
            f"{one.subject} is a Python number: it is changed while the kernel is built, {when}",
            one.line,
            column=one.column,
            end_column=one.end_column,
            help=f'make it a variable of the kernel: {one.subject} = T.alloc_var("int32", init=...)',
            related=((one.around, f"the {what} is one of the running kernel"),) if one.around else (),
            fixes=_fixes(subject, one),
        )


def _fixes(subject: Subject, one: Construct) -> tuple[Fix, ...]:
    """A variable of the kernel, where the number is given once before the condition or loop and is not given anew in
    another place of the kernel."""
    assignments = [
        node
        for node in ast.walk(subject.tree or ast.Module([], []))
        if isinstance(node, ast.Assign)
        and len(node.targets) == 1
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id == one.subject
        and subject.kernel.line <= node.lineno < (one.around or 0)
    ]
    module = _language(subject.tree)
    if len(assignments) != 1 or module is None:
        return ()
    value = assignments[0].value
    number = value.value if isinstance(value, ast.Constant) else None
    if isinstance(number, bool) or not isinstance(number, (int, float)):
        return ()
    dtype = "int32" if isinstance(number, int) else "float32"
    text = f'{module}.alloc_var("{dtype}", init={number})'
    title = f"Make {one.subject} a variable of the kernel"
    return (fixes.fix(title, fixes.node_replaced(subject.text, value, text)),)


def _language(tree: ast.Module | None) -> str | None:
    """The name under which the file imports the tile language."""
    for node in ast.walk(tree or ast.Module([], [])):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == "tilelang.language" and alias.asname:
                    return alias.asname
    return None
