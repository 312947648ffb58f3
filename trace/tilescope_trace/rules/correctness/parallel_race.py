"""TS303: several iterations of a T.Parallel loop write one element."""

from __future__ import annotations

from collections.abc import Iterator

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule

from .wording import declared, element, located

RULE = Rule(
    code="TS303",
    name="parallel-race",
    severity="warning",
    summary="Several iterations of a T.Parallel loop write one element",
    doc="""\
The iterations of T.Parallel run in parallel. Where two of them write one element, which value stays is a matter
of chance, and of sums into one element all but one are lost.

It is told with two iterations that collide. The compiler's own data race check, which is off by default, asks
the same; tilescope turns it on, and leaves out what it says of stores at indices that are loaded from memory:
whether those collide is not known before the kernel runs.
""",
    example="""\
for i in T.Parallel(128):
    s[0] = A[i]
""",
    why="""\
128 iterations store to one element, and one of the 128 values of `A` stays, no matter which. Of a sum `acc[i, j
// 32] += x[i, j]` 31 of 32 contributions are lost: each thread adds to a copy of its own.
""",
    fix="Reduce with `T.reduce_sum` and its like, use `T.atomic_add`, or index the buffer by every loop variable.",
    ignore="Where all iterations that collide store the same value, as if they set a flag.",
)


def explain(case: Case) -> Wording | None:
    """The element and the loop variables that do not choose it."""
    found = case.find(r"`(\w+)\((.*?),?\)` is written by multiple threads in loop \((.*?),?\)")
    if found is None:
        return None
    name, index, variables = found.groups()
    several = "," in variables
    return Wording(
        f"several iterations of the T.Parallel loop over {variables} write the same element of {name}"
        + (f" ({name}[{index}])" if index else "")
        + f": {variables} {'do' if several else 'does'} not tell them apart",
        "reduce (T.reduce_sum ...), use T.atomic_add, or index the buffer by every loop variable",
        name,
    )


def check(subject: Subject) -> Iterator[Fault]:
    """Stores of which two iterations are known that collide."""
    for access, line in located(one for one in subject.kernel.accesses if one.race == "faulty"):
        witness = access.witnesses["race"]
        names = [str(name) for name in witness.detail["variables"]]
        other = witness.detail["other"]
        told = " and ".join(
            ", ".join(f"{name} = {values[name]}" for name in names) for values in (witness.values, other)
        )
        yield Fault(
            f"several iterations of the T.Parallel loop over {', '.join(witness.detail['parallel'])} write the same "
            f"element of {access.buffer} ({element(access)}), such as {told}: {', '.join(names)} "
            f"{'do' if len(names) > 1 else 'does'} not tell them apart",
            line,
            name=access.buffer,
            column=access.column,
            end_column=access.end_column,
            help="reduce (T.reduce_sum ...), use T.atomic_add, or index the buffer by every loop variable",
            related=declared(subject, access),
        )


def refuted(subject: Subject, line: int) -> bool:
    """Whether what the compiler says of the stores at ``line`` does not hold: they are proved not to collide, or hang
    on what is in memory or on an exclusive or, as swizzled indices do, of which its check assumes the worst."""
    every = [one for one in subject.kernel.accesses if one.mode == "write" and one.parallel and one.line is not None]
    # The compiler names the loop where its store has lost its line.
    at = min((one.line for one in every if one.line is not None and one.line >= line), default=None)
    stores = [one for one in every if one.line == at]
    return bool(stores) and all(
        one.race == "safe" or (one.race == "unknown" and _hard((*one.indices, *one.guards))) for one in stores
    )


def _hard(expressions: tuple[str, ...]) -> bool:
    return any(sign in expression for sign in "[?^" for expression in expressions)
