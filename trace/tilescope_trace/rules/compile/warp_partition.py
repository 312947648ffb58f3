"""TS116: a T.gemm tile cannot be divided over the warps of the block."""

from __future__ import annotations

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS116",
    name="warp-partition",
    severity="error",
    summary="A T.gemm tile cannot be divided over the warps of the block",
    doc="""\
Each warp (32 threads) of a block takes part of the accumulator tile of a `T.gemm`, in whole instruction tiles: a
multiple of 16 rows and 8 columns.
""",
    example="""\
with T.Kernel(1, threads=96) as bx:  # 3 warps cannot share a 64 × 64 tile
    T.gemm(A_s, B_s, C_l)
""",
    why="""\
The 64 × 64 tile is 4 × 8 such parts. 96 threads are 3 warps, and 3 divides neither 4 nor 8: the compiler refuses the
kernel. So it does with 5 or 6 warps.
""",
    fix="""\
Choose `threads` as 32 times a power of two: 32, 64, 128 and 256 all do for this tile, 128 is usual. To keep 3 warps,
take a tile of 48 or 96 rows.
""",
)


def explain(case: Case) -> Wording | None:
    """The tile, the warps and the threads."""
    found = case.find(
        r"No valid warp partition for T\.gemm.*?: M=(\d+), N=(\d+) cannot be evenly covered by (\d+) warps.*?"
        r"multiple of (\d+) rows and (\d+) columns"
    )
    if found is None:
        return None
    rows, columns, warps, unit_rows, unit_columns = found.groups()
    result = case.operand("C")
    of = f" of {result.name}" if result else ""
    return Wording(
        f"T.gemm: the {rows} × {columns} tile{of} cannot be split evenly over"
        f" {warps} warps ({_threads(case, warps)})",
        f"each warp must own a multiple of {unit_rows} rows and {unit_columns} columns: change threads= or the tile",
        launch=True,
    )


def _threads(case: Case, warps: str) -> str:
    full = int(warps) * WARP_THREADS
    launch = case.kernel.launch if case.kernel else None
    given = launch.threads if launch else None
    if isinstance(given, int) and full < given < full + WARP_THREADS:
        return f"threads={given}: {given - full} threads are in no full warp of {WARP_THREADS}"
    return f"{full} threads"


WARP_THREADS = 32
