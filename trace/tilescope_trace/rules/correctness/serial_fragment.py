"""TS302: the elements of a fragment that is spread over threads are accessed one after another."""

from __future__ import annotations

from collections.abc import Iterator

from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule
from tilescope_worker.wire.facts import Access

from .wording import declared, element, located

RULE = Rule(
    code="TS302",
    name="serial-fragment",
    severity="warning",
    summary="Elements of a fragment are accessed in a serial loop",
    doc="""\
A fragment is spread over the registers of all threads of a block, and each thread runs a serial loop as a
whole: it meets every index but has only its own elements. The compiler turns the index into that of the
thread's registers and says nothing. A fragment of which each thread has all elements is another thing, and is
left alone.
""",
    example="""\
f = T.alloc_fragment((16, 16), "float32")
T.copy(A, f)
for i in T.serial(16):
    for j in T.serial(16):
        C[i, j] = f[i, j]
""",
    why="""\
128 threads have 2 elements of `f` each. In the generated code every thread stores its `f[j & 1]` to `C[i, j]`
for (nearly) all `i` and `j`, so that each element of `C` is stored by up to 128 threads with different values.
""",
    fix="""\
Loop with `T.Parallel` over the fragment's axes, or use `T.copy`; where order matters, go through shared memory.
""",
)


def check(subject: Subject) -> Iterator[Fault]:
    """Element accesses outside T.Parallel that move over a fragment of which no thread has all."""
    told = set()
    for access, line in located(one for one in subject.kernel.accesses if one.scope == "local.fragment"):
        threads = _spread_over(subject, access)
        if threads is None or (line, access.buffer) in told:
            continue
        told.add((line, access.buffer))
        verb = "written" if access.mode != "read" else "read"
        yield Fault(
            f"{element(access)} is {verb} in a serial loop, but {access.buffer} is spread over {threads} threads: "
            "each thread runs every iteration with the elements that it has, and the index chooses among those only",
            line,
            name=access.buffer,
            column=access.column,
            end_column=access.end_column,
            help="use T.Parallel over the fragment's axes or T.copy, or go through shared memory",
            related=declared(subject, access),
        )


def _spread_over(subject: Subject, access: Access) -> int | None:
    """The threads that share the fragment, None where the access is no fault of this kind or that is not known."""
    if access.scope != "local.fragment" or access.operation is not None or access.parallel:
        return None
    if not any(name in access.domain for name in access.loops):
        return None
    found = None
    for buffer in subject.kernel.buffers:
        if buffer.name != access.buffer:
            continue
        layout = buffer.layout
        if layout is None or layout.kind != "fragment" or layout.threads is None or layout.replicate is None:
            return None
        if layout.replicate >= layout.threads:
            return None
        found = layout.threads
    return found
