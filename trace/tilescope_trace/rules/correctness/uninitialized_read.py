"""TS310: a buffer is read before anything writes it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tilescope_trace.rules import assumed, fixes
from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule
from tilescope_worker.wire.facts import Access, Fix

from .wording import declared, located

RULE = Rule(
    code="TS310",
    name="uninitialized-read",
    severity="warning",
    summary="A buffer is read before anything writes it",
    doc="""\
A freshly allocated tile holds whatever was in its memory. `T.gemm` and reductions with `clear=False` add to
what is there, so an accumulator needs `T.clear` (or `clear_accum=True`) first.
""",
    example="""\
C_l = T.alloc_fragment((64, 64), "float32")
T.gemm(A_s, B_s, C_l)  # C_l is read before anything writes it
""",
    why="""\
Each of the 64 × 64 sums starts at what its register held before: the result is wrong by that, differs from run
to run, and is right whenever the registers happen to be zero, as they often are in a test.
""",
    fix="Put `T.clear(C_l)` in front of the loop, or give `clear_accum=True` to a `T.gemm` that stands alone.",
)


def explain(case: Case) -> Wording | None:
    """The buffer."""
    found = case.find(r"`(\w+)` is read before anything writes it")
    if found is None:
        return None
    return Wording(f"{found[1]} is read before anything writes it", _HELP, found[1])


_HELP = "initialise it first: T.clear, T.fill, T.copy into it, or clear_accum=True for a T.gemm"


def check(subject: Subject) -> Iterator[Fault]:
    """Reads before which nothing can have written the buffer; of each buffer the first."""
    told = set()
    faulty = (one for one in subject.kernel.accesses if one.initialised == "faulty")
    for access, line in located(one for one in faulty if not one.witnesses["initialised"].detail["written"]):
        if access.buffer in told:
            continue
        told.add(access.buffer)
        accumulates = access.operation in ("gemm", "reduce") and any(
            one.line == line and one.buffer == access.buffer and one.mode == "write"
            for one in subject.kernel.accesses
        )
        what = f": the T.{access.operation} adds to what is there" if accumulates else ""
        certain = _always(subject, access, line)
        yield Fault(
            f"{access.buffer} is read before anything writes it{what}"
            + (f", {assumed.said(subject)}" if certain else ""),
            line,
            name=access.buffer,
            operation=access.operation,
            help=_HELP,
            related=declared(subject, access),
            fixes=_cleared(subject, access) if access.operation == "gemm" else (),
            certain=certain,
        )


def _always(subject: Subject, access: Access, line: int) -> bool:
    """Whether arguments are assumed, and the source says that others change nothing."""
    buffer = subject.buffer(access.buffer)
    return (
        bool(assumed.names(subject))
        and not access.called_from
        and buffer is not None
        and buffer.line is not None
        and assumed.first_mentioned(subject, buffer.name, buffer.line, line)
    )


def _cleared(subject: Subject, access: Access) -> tuple[Fix, ...]:
    """A clear of the accumulator behind its allocation, where that is a statement of the kernel's own file."""
    buffer = subject.buffer(access.buffer)
    gemms = fixes.calls(subject.tree, access.line or 0, "gemm")
    if buffer is None or buffer.line is None or not gemms or access.called_from:
        return ()
    module = fixes.module_of(gemms[0])
    for node in ast.walk(subject.tree or ast.Module([], [])):
        if isinstance(node, ast.Assign) and node.lineno == buffer.line and node.end_lineno is not None and module:
            edit = fixes.line_after(subject.text, node.end_lineno, f"{module}.clear({buffer.name})")
            return (fixes.fix(f"Clear {buffer.name} where it is allocated", edit),)
    return ()


def refuted(subject: Subject, line: int) -> bool:
    """Whether what the compiler says of the reads at ``line`` is not known to hold: it looks at the order of the text
    only, and a conditional read may follow a write of an earlier iteration."""
    written = {one.buffer for one in subject.kernel.accesses if one.mode == "write"}
    reads = [one for one in subject.kernel.accesses if one.line == line and one.mode == "read"]
    return bool(reads) and all(
        one.initialised == "safe" or (one.guards and one.initialised == "unknown" and one.buffer in written)
        for one in reads
    )
