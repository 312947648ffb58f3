"""TS131: a function of the tile language is called with wrong arguments."""

from __future__ import annotations

import difflib
import re

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS131",
    name="wrong-argument",
    severity="error",
    summary="A function of the tile language is called with wrong arguments",
    doc="""\
An argument is missing, unknown, or of a type that the function does not take.
""",
    example="""\
tile = T.alloc_shared()  # shape and dtype are missing
""",
    why="""\
The call raises while the kernel is built, and there is no kernel. The error speaks of the function inside of
TileLang, at the end of a traceback through its builder.
""",
    fix="""\
Give what is missing: `T.alloc_shared((64, 32), "float16")`. Check the spelling of keywords, `transpose_B` and not
`transposeB`, and where the parameter belongs to another version of TileLang, the version that is installed.
""",
)


def explain(case: Case) -> Wording | None:
    """The function and what is wrong with its arguments."""
    found = case.find(r"(\w+)\(\) missing (\d+) required (?:positional |keyword-only )?arguments?: ([^\n]*)")
    if found is not None:
        missing = found[3].replace("'", "")
        return Wording(f"{_shown(case, found[1])} needs {missing}", f"give {missing}", found[1])
    found = case.find(r"(\w+)\(\) got an unexpected keyword argument '(\w+)'")
    if found is not None:
        near = re.findall(r"Did you mean '(\w+)'", case.said) or _known(found[2])
        return Wording(
            f"{_shown(case, found[1])} has no parameter {found[2]}",
            f"did you mean {near[0]}?" if near else "check the spelling",
            found[2],
        )
    found = case.find(r"(\w+)\(\) takes [^\n]*? positional arguments? but (\d+) (?:was|were) given")
    if found is not None:
        return Wording(f"{_shown(case, found[1])} takes fewer arguments than the {found[2]} given", None, found[1])
    found = case.find(
        r"Mismatched type on argument #(\d+) when calling: `([\w.]+)\(.*?Expected `(.*?)` but got `(.*?)`"
    )
    if found is None:
        return None
    number, callee, expected, got = found.groups()
    name = callee.rpartition(".")[2]
    return Wording(f"T.{name}: argument {int(number) + 1} is {_type(got)} where {_type(expected)} is expected")


def _shown(case: Case, name: str) -> str:
    return f"T.{name}" if re.search(rf"\bT\.{name}\b", case.statement) else f"{name}()"


def _type(name: str) -> str:
    return {"SmallStr": "a string", "Str": "a string", "PrimExpr": "an expression"}.get(name.rpartition(".")[2], name)


def _known(name: str) -> list[str]:
    return difflib.get_close_matches(name, PARAMETERS, n=1, cutoff=0.7)


PARAMETERS = [
    "transpose_A",
    "transpose_B",
    "policy",
    "clear_accum",
    "k_pack",
    "wg_wait",
    "num_stages",
    "order",
    "stage",
    "threads",
    "prelude",
    "coalesced_width",
    "disable_tma",
    "eviction_policy",
    "loop_layout",
    "dim",
    "clear",
    "shape",
    "dtype",
    "scope",
    "buffer",
    "out",
    "value",
    "src",
    "dst",
]
"""Parameters of frequent functions, for near misses."""
