"""TS122: an operand of a T.gemm is in a memory that it cannot be in."""

from __future__ import annotations

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS122",
    name="memory-scope",
    severity="error",
    summary="An operand of a T.gemm is in a memory that it cannot be in",
    doc="""\
`T.gemm` reads A and B from shared memory or fragments and accumulates in a fragment (`T.alloc_fragment`; on
Blackwell also tensor memory). Scopes are spelt `shared`, `shared.dyn`, `local.fragment`, `local`.
""",
    example="""\
C_s = T.alloc_shared((64, 64), "float32")
T.gemm(A_s, B_s, C_s)  # the accumulator has to be a fragment
""",
    why="""\
Matrix instructions write their 64 × 64 sums to registers, 32 in each of 128 threads; `C_s` is in shared memory.
Layout inference stops with "must be a fragment", without a line. A misspelt scope, `scope="shared.dny"`, ends there
too, as an "Unsupported gemm combination".
""",
    fix="""\
`C_l = T.alloc_fragment((64, 64), "float32")` for the sums; `T.copy(C_l, C_s)` behind the loop where they are needed
in shared memory.
""",
)


def explain(case: Case) -> Wording | None:
    """The operand, the scope it has and the one it needs."""
    result = case.operand("C")
    found = case.find(r"local_buf (?:\w+ )?must be a fragment(?:, but got ([\w.]+))?")
    if found is not None:
        name = result.name if result else case.names("gemm", ("A",), ("B",), ("C",))[2]
        scope = result.scope if result else found[1]
        return Wording(
            f"T.gemm: the accumulator {name} has to be a fragment"
            + (f", but its memory is {scope}" if scope else ""),
            f"allocate {name} with T.alloc_fragment",
        )
    found = case.find(r"Unsupported gemm combination, A: ([\w.]+), B: ([\w.]+)")
    if found is None:
        return None
    given = dict(zip(case.names("gemm", ("A",), ("B",)), found.groups(), strict=True))
    wrong = {name: scope for name, scope in given.items() if scope not in SCOPES} or given
    told = " and ".join(f"{name} in {scope}" for name, scope in wrong.items())
    return Wording(
        f"T.gemm: cannot multiply {told}: A and B are read from shared memory or fragments",
        "the scopes are 'shared', 'shared.dyn' and 'local.fragment'",
    )


SCOPES = frozenset({"shared", "shared.dyn", "local.fragment"})
