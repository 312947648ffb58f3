"""TS113: two operations need different register layouts for what they share."""

from __future__ import annotations

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS113",
    name="layout-conflict",
    severity="error",
    summary="Two operations need different register layouts for what they share",
    doc="""\
Each fragment (register tile) has one layout: which thread holds which element. `T.gemm` fixes the layouts of
its accumulator and register operands, reductions and annotations fix others. Where such fragments meet in one
loop or copy, element (i, j) of both must be in the same thread.
""",
    example="""\
T.gemm(Q_s, K_s, S, transpose_B=True, policy=T.GemmWarpPolicy.FullCol)
for i, j in T.Parallel(64, 64):
    P[i, j] = S[i, j] * 0.5  # S is laid out by columns, P by rows
T.gemm(P, V_s, O_l, policy=T.GemmWarpPolicy.FullRow)
""",
    why="""\
With 128 threads on sm_80, FullCol gives each of the 4 warps 16 columns of `S`, FullRow 16 rows of `P`. S[0, 63] is in
warp 3 and P[0, 63] in warp 0: no thread has both, and the compiler moves nothing between threads by itself. On
sm_90a, where the 4 warps of a warp group divide the rows in any case, the example compiles.
""",
    fix="""\
Make the operations agree: with `FullRow` in both calls the example compiles (with `FullCol` in both it does not, as
`P` is an operand in registers). Or pass the values through shared memory.
""",
)


def explain(case: Case) -> Wording | None:
    """The two fragments, or the one that two operations want."""
    found = case.find(r"Layout infer conflict between (\w+) and (\w+) in T\.Parallel")
    if found is not None:
        one, other = found.groups()
        return Wording(
            f"{one} and {other} meet in one T.Parallel loop but their register layouts differ",
            "the operations that fix them (T.gemm policies, reductions) must agree, or copy through shared memory",
        )
    found = case.find(r"Layout may conflict with ReduceOp for buffer (\w+) vs\. (\w+)")
    if found is not None:
        one, other = found.groups()
        return Wording(
            f"the register layout of {other} is not the one that reducing {one} gives",
            f"reduce into a fragment of its own and copy it to {other}",
        )
    found = case.find(r"Get different layout for (?:alias buffer )?(\w+)")
    if found is not None:
        return Wording(
            f"two operations need different layouts for {found[1]}",
            "use one tile for each, or give both operations the same policy and transposition",
        )
    return None
