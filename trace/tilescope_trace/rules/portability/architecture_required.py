"""TS504: an instruction or construct needs another architecture than the target."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.check import Fault, Subject
from tilescope_trace.rules.rule import Rule
from tilescope_trace.text_lines import lines_of
from tilescope_worker.wire.facts import Operation

RULE = Rule(
    code="TS504",
    name="architecture-required",
    severity="error",
    summary="An instruction or construct needs another architecture than the target",
    doc="""\
Some instructions exist only on later architectures, and `wgmma`, `setmaxnreg` and `tcgen05` only where the name of
the architecture ends in `a`: code for `sm_90` has to run on all later chips, that for `sm_90a` on this one only.

| instruction | needs |
|---|---|
| `cp.async`, `mma` of bfloat16, tf32 and float64 | sm_80 |
| `mma` of fp8 | sm_89 |
| TMA, mbarriers | sm_90 |
| `wgmma`, `setmaxnreg` (warp specialization) | sm_90a |
| `tcgen05`, tensor memory | sm_100a |

The table is that of the PTX ISA (sections on each instruction, "Target ISA Notes"). Where the compiler itself
refuses, it is told there; where it generates code that the assembler would refuse, here.
""",
    example="""\
# tilescope: target=cuda:sm_90
T.gemm(A_s, B_s, C_l)  # wgmma, which sm_90 does not have: sm_90a
""",
    why="""\
The kernel lowers, and nvcc refuses the generated source: a compile that looks right in an editor fails on the
machine.
""",
    fix="Name the architecture of the chip: `cuda:sm_90a` for Hopper, `cuda:sm_100a` for Blackwell.",
)

_NEEDS = {
    "cp_async": ("cp.async", 80, ""),
    "tma_load": ("TMA", 90, ""),
    "tma_store": ("TMA", 90, ""),
    "stmatrix": ("stmatrix", 90, ""),
    "wgmma": ("wgmma", 90, "a"),
    "tcgen05": ("tcgen05", 100, "a"),
    "tcgen05_ld": ("tcgen05", 100, "a"),
    "tcgen05_st": ("tcgen05", 100, "a"),
}
_MMA = {"bfloat16": 80, "float32": 80, "tfloat32": 80, "float64": 80}
_FP8 = 89


def check(subject: Subject) -> Iterator[Fault]:
    """The first operation for each need that the target does not meet."""
    found = re.fullmatch(r"cuda:sm_(\d+)([af]?)", subject.architecture)
    if found is None or subject.kernel.stage not in ("lowered", "registers"):
        return
    has, suffix = int(found[1]), found[2]
    told: set[str] = set()
    for operation in subject.operations("copy", "gemm", "pipeline"):
        for name, least, needed in _needs(operation):
            if name in told or (has >= least and (has > least or not needed or suffix in ("a", "f"))):
                continue
            told.add(name)
            wanted = f"sm_{least}{needed}"
            meant = has == least
            yield Fault(
                f"{name} needs {wanted}, and the target is {subject.architecture.partition(':')[2]}",
                operation.line or 0,
                operation=operation.kind,
                help=f"if {wanted} is meant, name it: target=cuda:{wanted}" if meant else f"the code is for {wanted}",
                severity="warning" if meant else None,
            )


def _needs(operation: Operation) -> Iterator[tuple[str, int, str]]:
    for instruction in operation.lowered_to:
        if instruction in _NEEDS:
            yield _NEEDS[instruction]
        elif instruction == "mma":
            dtype = str(operation.detail.get("A_dtype", ""))
            least = _FP8 if dtype.startswith("float8") else _MMA.get(dtype)
            if least is not None:
                yield f"mma of {dtype}", least, ""
    if operation.kind == "pipeline" and operation.detail.get("producer_threads"):
        yield "warp specialization", 90, "a"


def explain(case: Case) -> Wording | None:
    """What the compiler itself refuses for this target."""
    target = case.kernel.target if case.kernel is not None else ""
    on = f", and the target is {target.removeprefix('cuda:')}" if target else ""
    found = case.find(r"(T\.\w+)\(\) requires (Hopper WGMMA|Blackwell TCGEN5MMA) lowering, but constraints were not")
    if found is not None and not _meets(target, *((90, 99) if "Hopper" in found[2] else (100, 119))):
        needed = "a Hopper target (sm_90a)" if "Hopper" in found[2] else "a Blackwell target (sm_100a)"
        return Wording(f"{found[1]} needs {needed}{on}", "use T.gemm, which takes what the target has", found[1])
    if case.find(r"Block-scaled GEMM requires Blackwell") is not None and not _meets(target, 100, 119):
        return Wording(f"a block-scaled T.gemm needs a Blackwell target (sm_100a){on}", None, "gemm")
    found = case.find(r"(T\.\w+)\(\) requires TMA-capable target")
    if found is not None and not _meets(target, 90, 999):
        return Wording(f"{found[1]} needs TMA, of sm_90 and later{on}", "use T.copy", found[1])
    found = case.find(r"(T\.\w+)\(\) requires sm_(\d+) \([\w ]+\) or later")
    if found is not None:
        return Wording(
            f"{found[1]} needs sm_{found[2]} or later{on}",
            None,
            found[1],
            _first_line(case, found[1]),
        )
    if case.find(r"Explicit CUDA GEMM instructions are not available for") is not None:
        written = re.search(r"T\.\w*gemm\w*", case.statement)
        name = written[0] if written else "this T.gemm"
        return Wording(f"{name} is for CUDA targets{on}", "use T.gemm, which takes what the target has", name)
    accumulator = case.operand("C")
    if (
        accumulator is not None
        and accumulator.scope == "shared.tmem"
        and case.find(r"local_buf.*? must be a fragment")
    ):
        return Wording(
            f"tensor memory ({accumulator.name}) needs a Blackwell target (sm_100a){on}",
            "allocate the accumulator with T.alloc_fragment",
            accumulator.name,
        )
    return None


def _meets(target: str, least: int, most: int) -> bool:
    found = re.match(r"cuda:sm_(\d+)", target)
    return found is not None and least <= int(found[1]) <= most


def _first_line(case: Case, name: str) -> int | None:
    """The first line of the kernel that calls ``name``; the compiler tells where code generation stopped."""
    first = case.kernel.line if case.kernel is not None else 1
    lines = lines_of(case.text)
    return next((at for at in range(first, len(lines) + 1) if f"{name}(" in lines[at - 1]), None)
