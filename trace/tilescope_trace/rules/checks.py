"""Rules that read facts: what the compiler accepts in silence, as findings."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from types import ModuleType

from tilescope_worker.wire.facts import Finding, Kernel, Place

from . import compile as compiling
from . import correctness, memory, performance, portability
from .check import Fault, Subject
from .place import Span, name_span, statement_span
from .rule import Rule

Check = Callable[[Subject], Iterable[Fault]]

_MODULES: tuple[ModuleType, ...] = (
    *compiling.CHECKS,
    *memory.CHECKS,
    *correctness.CHECKS,
    *performance.CHECKS,
    *portability.CHECKS,
)
CHECKS: tuple[tuple[Rule, Check], ...] = tuple((module.RULE, module.check) for module in _MODULES)
"""Each rule with the function that finds its faults in a kernel's facts."""


def findings_of(kernel: Kernel, text: str, path: str, parse: Callable[[], ast.Module | None]) -> tuple[Finding, ...]:
    """What all rules find in the facts of ``kernel``; ``parse`` gives the syntax tree of ``text``, None where it does
    not parse."""
    subject = Subject(kernel, text, path, parse)
    found = [_finding(rule, fault, subject) for rule, check in CHECKS for fault in check(subject)]
    once = {(one.code, one.line, one.column, one.end_column, one.message): one for one in reversed(found)}
    return tuple(sorted(once.values(), key=lambda finding: (finding.line, finding.column, finding.code)))


def refuted(finding: Finding, kernel: Kernel, text: str, path: str, parse: Callable[[], ast.Module | None]) -> bool:
    """Whether the facts of ``kernel`` say that what the compiler warns of in ``finding`` is not so, or not known."""
    module = next((module for module in _MODULES if module.RULE.code == finding.code), None)
    refutes = getattr(module, "refuted", None)
    return refutes is not None and bool(refutes(Subject(kernel, text, path, parse), finding.line))


def _finding(rule: Rule, fault: Fault, subject: Subject) -> Finding:
    span = _span(fault, subject)
    kernel = subject.kernel
    # With other values than those assumed here there may be no fault.
    assumed = kernel.specialization.origin == "assumed" and not fault.certain
    return Finding(
        code=rule.code,
        severity="info" if assumed else fault.severity or rule.severity,
        file=subject.path,
        line=span.line,
        column=span.column,
        end_line=span.end_line,
        end_column=span.end_column,
        message=fault.message,
        related=tuple(Place(subject.path, line, message) for line, message in fault.related if line != fault.line),
        kernel=kernel.qualname,
        specialization=kernel.specialization.id,
        target=kernel.target,
        confidence="likely" if assumed else fault.confidence,
        fixes=fault.fixes,
        help=fault.help,
    )


def _span(fault: Fault, subject: Subject) -> Span:
    if fault.column is not None and fault.end_column is not None:
        return Span(fault.line, fault.column, fault.line, fault.end_column)
    if fault.name is not None:
        return name_span(subject.text, fault.line, fault.name)
    return statement_span(subject.tree, subject.text, fault.line, fault.operation)
