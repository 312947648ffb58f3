"""TS112: a name is not defined."""

from __future__ import annotations

import difflib
import re

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule

RULE = Rule(
    code="TS112",
    name="undefined-name",
    severity="error",
    summary="A name is not defined",
    doc="""\
The kernel (or a macro it uses) mentions a name that nothing defines, or a member of `T` that this TileLang does not
have. The nearest known name is offered.
""",
    example="""\
A_s = T.alloc_shared((block_m, 32), "float16")  # the parameter is called block_M
""",
    why="""\
The Python of the kernel ends at this line, so the kernel is not built. Python tells small letters from capitals:
`block_m` is not the parameter `block_M`.
""",
    fix="""\
Write the name as it is defined, here `block_M`; the nearest one is offered. For a member of `T` look at the version
that `tilescope doctor` names: what it has no more is told with what to use in its place ([TS503](TS503.md)).
""",
)


def explain(case: Case) -> Wording | None:
    """The name, and the nearest one that is known."""
    found = case.find(r"name '(\w+)' is not defined")
    if found is not None and "__tb" not in found[1]:
        known = set(re.findall(r"[A-Za-z_]\w*", case.text)) - {found[1]}
        return Wording(f"name '{found[1]}' is not defined", _nearest(found[1], known), found[1])
    found = case.find(r"module '([\w.]+)' has no attribute '(\w+)'")
    if found is None:
        return _no_member(case)
    owner, name = found.groups()
    tile = owner.startswith("tilelang") and owner.endswith("language")
    shown = f"T ({owner})" if tile else owner
    near = _nearest(name, set(TILE_NAMES)) if tile else None
    return Wording(
        f"{shown} has no '{name}'", near or "check the spelling, or the TileLang version that has it", name
    )


def _no_member(case: Case) -> Wording | None:
    """Members of other things than modules; enumerations say nothing but the name."""
    if case.failure.exception != "AttributeError":
        return None
    found = re.fullmatch(r"\w+", case.failure.message)
    if found is not None:
        owner = re.search(rf"([\w.]+)\.{found[0]}\b", case.statement)
        return Wording(f"{owner[1] if owner else 'it'} has no '{found[0]}'", "check the spelling", found[0])
    found = case.find(r"'(\w+)' object has no attribute '(\w+)'")
    if found is None:
        return None
    owner = re.search(rf"(\w+)\.{found[2]}\b", case.statement)
    told = f"{owner[1]} is a {found[1]}, which" if owner else f"a {found[1]}"
    return Wording(
        f"{told} has no '{found[2]}'", "check the spelling; tiles are worked on by functions of T", found[2]
    )


def _nearest(name: str, known: set[str]) -> str | None:
    """Case first: block_m for block_M is the usual slip, and the ratio alone may prefer another name."""
    near = [word for word in sorted(known) if word.lower() == name.lower()]
    near = near or difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.75)
    return f"did you mean '{near[0]}'?" if near else None


TILE_NAMES = [
    "alloc_barrier",
    "alloc_fragment",
    "alloc_local",
    "alloc_shared",
    "alloc_var",
    "annotate_layout",
    "atomic_add",
    "ceildiv",
    "clear",
    "copy",
    "cumsum",
    "exp",
    "exp2",
    "fill",
    "floordiv",
    "gemm",
    "if_then_else",
    "infinity",
    "log",
    "log2",
    "macro",
    "max",
    "min",
    "Parallel",
    "Persistent",
    "Pipelined",
    "prim_func",
    "reduce_absmax",
    "reduce_absum",
    "reduce_max",
    "reduce_min",
    "reduce_sum",
    "reshape",
    "rsqrt",
    "serial",
    "sigmoid",
    "sqrt",
    "sync_threads",
    "tanh",
    "Tensor",
    "unroll",
    "use_swizzle",
    "vectorized",
    "view",
    "Kernel",
    "GemmWarpPolicy",
    "dynamic",
    "const",
    "empty",
]
"""Frequent members of the tile language, for near misses."""
