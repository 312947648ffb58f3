"""TS134: nothing decides how a fragment lies in registers."""

from __future__ import annotations

import math

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.rule import Rule
from tilescope_worker.wire.messages import Operand

from .warp_partition import WARP_THREADS

FRAGMENT = "local.fragment"

RULE = Rule(
    code="TS134",
    name="no-layout",
    severity="error",
    summary="Nothing decides how a fragment lies in registers",
    doc="""\
The layout of a fragment comes from the operations on it: `T.gemm`, `T.copy`, reductions, `T.Parallel` loops. A
fragment that is only filled, or that is indexed by run-time values only, has none; targets without threads (`c`) have
no fragments at all. Nor has one whose elements do not spread evenly over the threads of the block: the finding then
names both numbers.
""",
    example="""\
f = T.alloc_fragment((64, 64), "float32")
T.clear(f)  # and no other use
""",
    why="""\
Which of the 4096 elements a thread holds, and in which register, has to be known for all of them before any code can
be written. Layout inference stops.
""",
    fix="""\
Use the fragment in an operation that spreads it over the threads: `T.copy`, `T.gemm`, a reduction, or a `T.Parallel`
loop that indexes it by its variables; remove it where it is not used; give a layout by `T.annotate_layout`. For a
target without threads take `T.alloc_local`. Where the number of threads is named, make `threads` a
multiple of 32 that divides the elements: 128 and 256 do for most tiles.
""",
)


def explain(case: Case) -> Wording | None:
    """The fragment, and the threads where its elements do not spread evenly over them."""
    uneven = case.find(r"Layout Layout\(\(([\d, ]+)\) -> \(\d+, (\d+)\).*does not form a bijective transform")
    if uneven is not None:
        count, over = math.prod(map(int, uneven[1].strip(", ").split(","))), int(uneven[2])
        return _uneven("", count, over) if over == _threads(case) and count % over else None
    found = case.find(r"[Ll]ayout for (?:fragment |buffer )?`?(\w+)`? can ?not be inferred")
    if found is None and case.find(r"(?i)layout can ?not be inferred|no available layout") is None:
        return None
    fragments = [one for one in case.failure.operands if one.scope == FRAGMENT]
    named = [one for one in fragments if found is None or one.name == found[1]]
    name = found[1] if found else next((one.name for one in (*fragments, *case.failure.operands)), None)
    elements, threads = _elements(named[0]) if named else None, _threads(case)
    if elements and threads and max(elements, threads) % min(elements, threads):
        return _uneven(f"no operation decides on the register layout of {name}: ", elements, threads, name)
    return Wording(
        f"no operation decides on the register layout of {name or 'a fragment'}",
        "use it in T.Parallel, T.copy or T.gemm, or annotate its layout",
        name,
    )


def _uneven(said: str, elements: int, threads: int, name: str | None = None) -> Wording:
    warps = "" if threads % WARP_THREADS == 0 else f", which is no multiple of {WARP_THREADS} (a warp)"
    return Wording(
        f"{said}{elements} elements cannot be spread evenly over threads={threads}{warps}",
        f"choose threads= as a multiple of {WARP_THREADS} that divides {elements}, or another tile",
        name,
        launch=True,
    )


def _threads(case: Case) -> int | None:
    launch = case.kernel.launch if case.kernel else None
    return launch.threads if launch is not None and isinstance(launch.threads, int) else None


def _elements(fragment: Operand) -> int | None:
    extents = [extent for extent in fragment.shape if isinstance(extent, int)]
    return math.prod(extents) if len(extents) == len(fragment.shape) else None
