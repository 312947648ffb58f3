"""TS214: rows of a tensor that do not begin at multiples of 16 bytes keep copies from TMA and cp.async."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tilescope_trace.rules import pipelines
from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.fixes import callee
from tilescope_trace.rules.rule import Rule
from tilescope_worker.wire.facts import Buffer, Operation, Severity

ALIGNMENT = 16
"""Bytes: the strides of a tensor map of TMA, and the widest cp.async (CUDA driver API, cuTensorMapEncodeTiled;
PTX ISA, cp.async)."""
_ASYNCHRONOUS = frozenset({"tma_load", "tma_store", "cp_async"})

RULE = Rule(
    code="TS214",
    name="unaligned-rows",
    severity="warning",
    summary="Rows of a tensor are no multiple of 16 bytes, and copies of it go slowly",
    doc="""\
TMA takes tensors whose rows are multiples of 16 bytes only, `cp.async` moves 4, 8 or 16 aligned bytes. With other
rows the compiler copies through registers, narrowly, without a word.

It is a warning inside `T.Pipelined` where the copy is not asynchronous: in a warp-specialized pipeline the producer's
threads do it, in any other the stages then overlap with nothing. It is information elsewhere.
""",
    example="""\
A: T.Tensor((M, 1001), "float16")
...
for k in T.Pipelined(T.ceildiv(1001, 32), num_stages=3):
    T.copy(A[by * 128, k * 32], A_s)
""",
    why="""\
A row of 1001 halves is 2002 bytes: every other row begins at an odd multiple of 2. Each thread loads 2 bytes at a
time where TMA would move the tile without any thread.
""",
    fix="""\
Pad the tensor's last dimension to a multiple of 16 bytes (8 elements of 16 bits, 4 of 32) when it is made; the kernel
then masks the tail by its own condition.
""",
    ignore="""\
When the tensor is given as it is and copying it first costs more than the narrow loads.
""",
)


def check(subject: Subject) -> Iterator[Fault]:
    """Copies between global and shared memory that unaligned rows make narrow."""
    if not subject.kernel.target.startswith("cuda"):
        return
    for copy in subject.operations("copy"):
        tensor = _tensor(subject, copy)
        if tensor is None or copy.line is None or not copy.lowered_to:
            continue
        row = _row_bytes(tensor, copy)
        narrow = copy.detail.get("vector_bytes")
        if row is None or row % ALIGNMENT == 0 or "tma_load" in copy.lowered_to or "tma_store" in copy.lowered_to:
            continue
        if not isinstance(narrow, int) or narrow >= ALIGNMENT:
            continue
        defeated = not _ASYNCHRONOUS & set(copy.lowered_to) and _is_pipelined(subject.tree, copy.line)
        severity: Severity = "warning" if defeated else "info"
        yield Fault(
            f"rows of {tensor.name} are {row} bytes, no multiple of {ALIGNMENT}: this copy goes"
            f" {narrow} byte{'s' if narrow > 1 else ''} at a time"
            + (_defeat(subject, copy) if defeated else ", not by TMA or whole vectors"),
            copy.line,
            operation="copy",
            column=copy.column,
            end_column=copy.end_column,
            severity=severity,
            help=f"pad the last dimension of {tensor.name} to a multiple of {_elements(tensor, row)} elements",
            related=((tensor.line, f"{tensor.name} is declared here"),) if tensor.line else (),
        )


def _defeat(subject: Subject, copy: Operation) -> str:
    if any(
        pipelines.is_specialized(loop) and copy in pipelines.inside(subject, loop)
        for loop in pipelines.pipelines(subject)
    ):
        return ", through registers of the producer's threads, not by TMA"
    return ", not asynchronously, and the pipeline overlaps nothing"


def _tensor(subject: Subject, copy: Operation) -> Buffer | None:
    """The global side of a copy from or to shared memory."""
    scopes = (str(copy.detail.get("src_scope", "")), str(copy.detail.get("dst_scope", "")))
    if "global" not in scopes or not any(scope.startswith("shared") for scope in scopes):
        return None
    return subject.buffer(copy.detail.get("src" if scopes[0] == "global" else "dst"))


def _row_bytes(tensor: Buffer, copy: Operation) -> int | None:
    """Bytes from one row of the tensor to the next, where the copy spans several rows."""
    tile = copy.detail.get("tile")
    if len(tensor.shape) < 2 or not isinstance(tensor.shape[-1], int) or tensor.bytes is None:
        return None
    rows = [extent for extent in tensor.shape if isinstance(extent, int)]
    if len(rows) != len(tensor.shape) or not isinstance(tile, list) or len(tile) < 2:
        return None
    count = 1
    for extent in rows[:-1]:
        count *= extent
    return tensor.bytes // count if count else None


def _elements(tensor: Buffer, row: int) -> int:
    size = max(row // tensor.shape[-1], 1) if isinstance(tensor.shape[-1], int) else 1
    return max(ALIGNMENT // size, 1)


def _is_pipelined(tree: ast.Module | None, line: int) -> bool:
    """Whether ``line`` is in a loop over T.Pipelined."""
    return any(
        isinstance(node, ast.For)
        and isinstance(node.iter, ast.Call)
        and callee(node.iter) == "Pipelined"
        and node.lineno <= line <= (node.end_lineno or node.lineno)
        for node in ast.walk(tree or ast.Module([], []))
    )
