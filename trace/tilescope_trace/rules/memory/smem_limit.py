"""TS201: a block takes more shared memory than the target allows."""

from __future__ import annotations

from collections.abc import Iterator

from tilescope_trace.limits import Limits, limits_of
from tilescope_trace.rules import assumed
from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule
from tilescope_worker.wire.facts import Buffer

from .launched import BY_DEFAULT, architecture_text, largest_first, size_text, use_of

SCOPES = frozenset({"shared", "shared.dyn"})

RULE = Rule(
    code="TS201",
    name="smem-limit",
    severity="error",
    summary="A block takes more shared memory than the target allows",
    doc="""\
The compiler lowers such a kernel without a word; the launch fails on the machine. The total is what is left after
buffers whose lives do not meet were merged, with all stages of a pipeline, barriers, and the gap in front of the
dynamic part.
""",
    example="""\
A_s = T.alloc_shared((128, 128), "float16")
B_s = T.alloc_shared((128, 256), "float16")
for k in T.Pipelined(K // 128, num_stages=3):
    T.copy(A[by * 128, k * 128], A_s)
    T.copy(B[k * 128, bx * 256], B_s)
""",
    why="""\
Three stages of A_s (32768 B) and B_s (65536 B) make 294912 B. A block on sm_80 can have 166912 B (163 KiB), on sm_90
232448 B (227 KiB); neither can run it. Shared memory that is declared statically is limited to 49152 B (48 KiB) on
all of them. [The limits of all targets](../limits.md).
""",
    fix="""\
Use fewer stages (`num_stages`), smaller tiles, or a narrower type. With `num_stages=1` the example takes 98304 B.
""",
)


def check(subject: Subject) -> Iterator[Fault]:
    """Total against the limit per block, and what is static against what may be declared so."""
    launch = subject.kernel.launch
    limits = limits_of(subject.architecture)
    use = use_of(launch, "shared")
    if launch is None or limits is None or use is None:
        return
    buffers = largest_first(subject.kernel.buffers, SCOPES)
    static = launch.shared_static_bytes or 0
    if limits.shared_per_block is not None and use.bytes > limits.shared_per_block:
        yield from _fault(subject, buffers, use.bytes, limits.shared_per_block, "", use.declared_bytes)
    elif _may_be_static(limits, launch.shared_dynamic_bytes) < static:
        yield from _fault(subject, buffers, static, _may_be_static(limits, launch.shared_dynamic_bytes), "static ")


def _may_be_static(limits: Limits, dynamic: int | None) -> float:
    """Bytes a block may declare; without a limit where the memory is given at launch."""
    return float("inf") if limits.shared_static is None or dynamic is None else limits.shared_static


def _fault(
    subject: Subject, buffers: list[Buffer], total: int, limit: float, kind: str, declared: int | None = None
) -> Iterator[Fault]:
    target = architecture_text(subject.kernel.target)
    merged = f", of {declared} B before buffers were merged" if declared is not None and declared > total else ""
    parts = ", ".join(map(size_text, buffers))
    allowed = f"{limit:.0f} B" + " by default" * (target in BY_DEFAULT)
    message = f"a block takes {total} B of {kind}shared memory{merged}, and {target} allows {allowed}"
    related = tuple((buffer.line, size_text(buffer)) for buffer in buffers if buffer.line is not None)
    stages, line = _place(subject, buffers)
    if line is None:
        return
    certain = limit < sum(buffer.bytes or 0 for buffer in buffers) <= total and _always(subject, buffers)
    yield Fault(
        (f"{message}: {parts}" if parts else message) + (f"; {assumed.said(subject)}" if certain else ""),
        line,
        severity="warning" if target in BY_DEFAULT else None,
        name="num_stages" if stages else (buffers[0].name if buffers else None),
        help="use fewer stages (num_stages) or smaller tiles" if stages else "use smaller tiles or a narrower type",
        related=related,
        certain=certain,
    )


def _always(subject: Subject, buffers: list[Buffer]) -> bool:
    """Whether arguments are assumed, and the source says that no buffer has its size or its stages from them. That
    none shares its place with another is for the caller to see: such would depend on more."""
    lines = [buffer.line for buffer in buffers if buffer.line is not None]
    if not assumed.names(subject) or len(lines) < len(buffers) or not assumed.independent(subject, lines):
        return False
    loops = [loop.line for loop in subject.operations("pipeline") if (loop.detail.get("stages") or 1) > 1]
    return not any(buffer.stages > 1 for buffer in buffers) or all(
        line is not None and assumed.stages_independent(subject, line) for line in loops
    )


def _place(subject: Subject, buffers: list[Buffer]) -> tuple[bool, int | None]:
    """Whether stages take the memory, and the line: that of the deepest pipeline, else of the largest buffer."""
    loops = [loop for loop in subject.operations("pipeline") if (loop.detail.get("stages") or 1) > 1]
    if loops and any(buffer.stages > 1 for buffer in buffers):
        return True, max(loops, key=lambda loop: loop.detail["stages"]).line
    launch = subject.kernel.launch
    lines = [buffer.line for buffer in buffers if buffer.line is not None]
    return False, lines[0] if lines else launch.line if launch is not None else None
