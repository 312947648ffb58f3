"""TS136: a dtype does not exist."""

from __future__ import annotations

import difflib

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS136",
    name="unknown-dtype",
    severity="error",
    summary="A dtype does not exist",
    doc="""\
Dtypes are written as strings (`"float16"`, `"bfloat16"`, `"float32"`, `"int8"`, `"float8_e4m3"`) or as members of `T`
(`T.float16`).
""",
    example="""\
A_s = T.alloc_shared((64, 64), "flaot16")
""",
    why="""\
Sizes, instructions and casts all hang on the dtype. A string is looked up only when the allocation is executed: the
building of the kernel stops there.
""",
    fix='`"float16"`. As `T.float16` an editor can complete it, and a misspelt name is an unknown attribute.',
)


def explain(case: Case) -> Wording | None:
    """The dtype, and the nearest one that exists."""
    found = case.find(r"(?:unknown|[Ii]nvalid|[Uu]nsupported) d(?:ata )?type:? [`'\"]?(\w+)[`'\"]?")
    if found is None:
        return None
    near = difflib.get_close_matches(found[1], DTYPES, n=1, cutoff=0.6)
    return Wording(f"{found[1]} is no dtype", f"did you mean '{near[0]}'?" if near else None, found[1])


DTYPES = [
    "float16",
    "bfloat16",
    "float32",
    "float64",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "bool",
    "float8_e4m3",
    "float8_e5m2",
    "float8_e4m3fn",
    "float4_e2m1fn",
]
