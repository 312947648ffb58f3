"""TS320: a T.copy puts numbers into a dtype that cannot hold their kind."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tilescope_trace.rules import fixes
from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule
from tilescope_worker.wire.facts import Buffer, Fix, Operation

RULE = Rule(
    code="TS320",
    name="copy-narrowing",
    severity="warning",
    summary="A T.copy puts numbers into a dtype that cannot hold their kind",
    doc="""\
`T.copy` between buffers of different dtypes casts each element, without a scale, rounding or clamping. Two casts
lose more than precision: floating point to an integer dtype, and an integer dtype to a smaller one of 8 or 16 bits.

It is told where the copied numbers are as they came: from a tensor, or a sum of a `T.gemm`. A buffer that the kernel
has computed itself, scaled and rounded say, may be copied so. Narrower floating-point dtypes are left alone: writing
a float32 accumulator out as float16 is usual.
""",
    example="""\
A: T.Tensor((64, 64), "float16")
S = T.alloc_shared((64, 64), "int8")
T.copy(A, S)
""",
    why="""\
The generated code casts each half to `signed char`: 0.7 becomes 0, and of 1000.0 nothing usable is left. The
compiler says nothing.
""",
    fix="""\
If the numbers are quantised, scale, round and clamp them in a `T.Parallel` loop; if the cast is meant, write it
there: `S[i, j] = T.cast(A[i, j], "int8")`.
""",
    ignore="When the values are known to be whole and small enough, such as a mask kept as float16.",
)

_RAW = frozenset({"copy", "gemm", "fill"})
"""Operations that leave numbers as they came."""


def check(subject: Subject) -> Iterator[Fault]:
    """Copies of numbers as they came, to integers that cannot hold them."""
    for copy in subject.operations("copy"):
        src, dst = copy.detail.get("src"), copy.detail.get("dst")
        before, after = copy.detail.get("src_dtype"), copy.detail.get("dst_dtype")
        if not isinstance(before, str) or not isinstance(after, str) or copy.line is None:
            continue
        lost = _lost(before, after)
        if lost is None or not _is_raw(subject, str(src), copy.detail.get("src_scope")):
            continue
        target = subject.buffer(dst)
        related = ((target.line, f"{dst} is {after}"),) if target is not None and target.line is not None else ()
        yield Fault(
            f"T.copy turns {src} ({before}) into {dst} ({after}): {lost}",
            copy.line,
            operation="copy",
            help="scale, round and clamp in a T.Parallel loop, or write the cast there: T.cast(...)",
            related=related,
            fixes=_fixes(subject, copy, target),
        )


def _lost(before: str, after: str) -> str | None:
    """What the cast loses; None where it loses nothing but precision."""
    new = _integer(after)
    if new is None:
        return None
    signed, bits = new
    holds = f"{-(1 << (bits - 1))} … {(1 << (bits - 1)) - 1}" if signed else f"0 … {(1 << bits) - 1}"
    if re.match(r"b?float|tfloat", before):
        return f"fractions are cut off, and {after} holds only {holds}"
    old = _integer(before)
    if old is None or bits > 16 or bits >= old[1]:
        return None
    return f"{after} holds only {holds}"


def _integer(dtype: str) -> tuple[bool, int] | None:
    """Whether an integer dtype is signed, and its bits; None for any other dtype."""
    found = re.fullmatch(r"(u?)int(\d+)", dtype)
    return (not found[1], int(found[2])) if found else None


def _is_raw(subject: Subject, name: str, scope: object) -> bool:
    """Whether a buffer is known to hold numbers as they came."""
    writers = {
        access.operation for access in subject.kernel.accesses if access.buffer == name and access.mode != "read"
    }
    if not subject.kernel.accesses or (not writers and scope != "global"):
        return scope == "global" and not subject.kernel.accesses
    return writers <= _RAW


def _fixes(subject: Subject, copy: Operation, target: Buffer | None) -> tuple[Fix, ...]:
    """The cast written out, where both buffers are copied whole and named in the call."""
    source = subject.buffer(copy.detail.get("src"))
    found = fixes.calls(subject.tree, copy.line or 0, "copy")
    if source is None or target is None or len(found) != 1 or source.shape != target.shape:
        return ()
    call = found[0]
    named = [getattr(argument, "id", None) for argument in call.args]
    tile = fixes.module_of(call)
    if named != [source.name, target.name] or call.keywords or not tile or not source.shape:
        return ()
    loops = [f"{letter}_" for letter in "ijkl"[: len(source.shape)]]
    index = ", ".join(loops)
    extents = ", ".join(map(str, source.shape))
    if any(not isinstance(size, int) for size in source.shape) or len(loops) != len(source.shape):
        return ()
    indent = " " * call.col_offset
    text = (
        f"for {index} in {tile}.Parallel({extents}):\n"
        f'{indent}    {target.name}[{index}] = {tile}.cast({source.name}[{index}], "{target.dtype}")'
    )
    return (fixes.fix(f"Cast to {target.dtype} explicitly", fixes.node_replaced(subject.text, call, text)),)
