"""TS405: a T.gemm is done by a slower instruction than the target has."""

from __future__ import annotations

from collections.abc import Iterator

from tilescope_trace.rules import pipelines
from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule
from tilescope_worker.wire.facts import Operation

RULE = Rule(
    code="TS405",
    name="slow-gemm-instruction",
    severity="info",
    summary="A T.gemm is done by a slower instruction than the target has",
    doc="""\
Hopper's `wgmma` and Blackwell's `tcgen05` read operands from shared memory and work beside the threads; `mma` needs
them in registers, which each warp loads itself. The compiler takes `wgmma` on sm_90 where

- the tile has at least 64 rows (M), and the threads are a multiple of 128,
- B is in shared memory,
- the operands are float16, bfloat16, 8-bit floats, 8-bit integers or tfloat32; for the last three A is not transposed
  and B is,
- K is a multiple of the instruction's: 16 elements of 16 bits, 32 of 8 bits.

On sm_100 it takes `tcgen05` where the accumulator is in tensor memory. Before sm_80 some dtypes have no matrix
instruction at all.
""",
    example="""\
A_s = T.alloc_shared((32, 64), "float16")
T.gemm(A_s, B_s, C_l)  # 32 rows, on sm_90a
""",
    why="""\
`mma m16n8k16` with operands that each warp loads by `ldmatrix`, in place of `wgmma m64n64k16`.
""",
    fix="""\
Choose a tile of 64 rows or more, swap A and B where M is small, keep 8-bit operands K-major (`transpose_B=True`).
""",
    ignore="When there are not 64 rows to work on, as in decoding.",
)

_WGMMA = {
    "float16": 16,
    "bfloat16": 16,
    "tfloat32": 8,
    "float8_e4m3fn": 32,
    "float8_e4m3": 32,
    "float8_e5m2": 32,
    "int8": 32,
    "uint8": 32,
}
"""K of the instruction by the operands' dtype (PTX ISA, wgmma.mma_async)."""
_K_MAJOR = frozenset({"tfloat32", "float8_e4m3fn", "float8_e4m3", "float8_e5m2", "int8", "uint8"})
_ROWS, _THREADS = 64, 128
_HOPPER, _BLACKWELL, _AMPERE = 90, (100, 103), 80


def check(subject: Subject) -> Iterator[Fault]:
    """Matrix operations with a better instruction on the target, and what keeps them from it."""
    architecture = pipelines.sm(subject)
    if not pipelines.is_lowered(subject) or architecture is None:
        return
    for gemm in subject.operations("gemm"):
        if "operation" in gemm.detail:
            continue  # the author has chosen the instruction
        said = None
        if architecture == _HOPPER and "mma" in gemm.lowered_to and not pipelines.is_off(subject, "tl.disable_wgmma"):
            reason = _against_wgmma(subject, gemm)
            said = f"mma in place of wgmma: {reason}" if reason is not None else None
        elif (
            architecture in _BLACKWELL and "mma" in gemm.lowered_to and gemm.detail.get("C_scope") == "local.fragment"
        ):
            said = f"mma in place of tcgen05: {gemm.detail['C']} is in registers, not in tensor memory"
        elif architecture < _AMPERE and gemm.lowered_to and not {"mma", "wgmma"} & set(gemm.lowered_to):
            said = (
                f"sm_{architecture} has no matrix instruction for {gemm.detail.get('A_dtype')}: multiply-adds do it"
            )
        if said is not None:
            yield Fault(said, gemm.line or 0, operation="gemm")


def _against_wgmma(subject: Subject, gemm: Operation) -> str | None:
    detail = gemm.detail
    dtype, rows, depth = str(detail.get("A_dtype")), detail.get("M"), detail.get("K")
    unit = _WGMMA.get(dtype)
    if unit is None or not isinstance(rows, int) or not isinstance(depth, int):
        return None
    if detail.get("B_scope") not in ("shared", "shared.dyn"):
        return f"{detail.get('B')} is in registers, and wgmma reads B from shared memory"
    if rows < _ROWS:
        return f"the tile has {rows} rows, and wgmma takes at least {_ROWS}"
    threads = subject.kernel.launch.threads if subject.kernel.launch is not None else None
    if isinstance(threads, int) and threads % _THREADS:
        return f"{threads} threads are no whole warp groups of {_THREADS}"
    if dtype in _K_MAJOR and (detail.get("transpose_A") or not detail.get("transpose_B")):
        return f"for {dtype} wgmma takes A as it is and B transposed (transpose_B=True)"
    if depth % unit:
        return f"K is {depth}, and wgmma takes {unit} of {dtype} at a time"
    return None
