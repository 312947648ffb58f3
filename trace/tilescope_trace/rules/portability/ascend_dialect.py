"""TS502: what the Ascend dialect does not have, or has in another way."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from tilescope_trace.rules import fixes
from tilescope_trace.rules.case import Case, Wording
from tilescope_trace.rules.place import enclosing_loop
from tilescope_trace.rules.rule import Rule
from tilescope_worker.wire.facts import Fix

RULE = Rule(
    code="TS502",
    name="ascend-dialect",
    severity="error",
    summary="The Ascend dialect does not allow this here",
    doc="""\
An Ascend kernel divides its work otherwise than a CUDA kernel does, and its dialect, `tilelang.ascend.language`,
makes that explicit.

| in a CUDA kernel | on Ascend |
|---|---|
| `T.copy` between dtypes | copies by DMA cannot cast: cast in a vector block (`T.SimdVF`, `T.SimtVF`) |
| `T.Parallel` anywhere | only inside of a vector block |
| elements of tensors anywhere | not in a `T.SimdVF` block: copy to a buffer before it |
| `T.gemm` of any transposition | A as it is and B transposed: `transpose_B=True` |
| accumulator in a fragment | in L0C: `T.alloc_l0c`, operands in L1: `T.alloc_l1` |
| `T.Kernel(x, y, threads=128)` | one extent and no threads: `T.Kernel(x * y)` |
| buffers used where they are in scope | a buffer allocated in a vector block ends with it |
""",
    example="""\
a = T.alloc_shared((64, 128), "float32")
b = T.alloc_shared((64, 128), "float16")
T.copy(a, b)  # casts outside of a vector block
""",
    why="""\
The example lowers for CUDA, where the threads that copy also cast. On Ascend the DMA engine copies, and lowering
stops.
""",
    fix="""\
Cast in a vector block, `with T.SimdVF():` around `T.copy(a, b)`, and copy by DMA before and behind it.
""",
)


@dataclass(frozen=True)
class _Said:
    """What the compiler says, and how it is told: ``message`` and ``help`` may name ``{0}`` and ``{1}``, groups of
    the pattern, and the operands of the statement; ``name`` is the word at fault, ``loop`` that it is on the loop's
    line."""

    pattern: str
    message: str
    help: str
    name: str | None = None
    loop: bool = False


def explain(case: Case) -> Wording | None:
    """What is not allowed, and what to write instead."""
    if case.kernel is not None and not case.kernel.target.startswith("ascend"):
        return None
    for said in _SAID:
        found = case.find(said.pattern)
        if found is not None:
            return _worded(said, found, case)
    return None


def _worded(said: _Said, found: re.Match[str], case: Case) -> Wording:
    src, dst = case.names("copy", ("src",), ("dst",))
    a, b = case.names("gemm", ("A",), ("B",))
    words = {"src": src, "dst": dst, "a": a, "b": b}
    name = said.name.format(*found.groups()) if said.name is not None else None
    line = enclosing_loop(case.tree, case.line, "Parallel") if said.loop else None
    return Wording(
        said.message.format(*found.groups(), **words),
        said.help.format(*found.groups(), **words),
        name,
        line,
        fixes=_in_block(case) if said.name == "copy" and _is_local(case, src, dst) else (),
    )


def _is_local(case: Case, *names: str) -> bool:
    """Whether all these buffers are on the chip: a T.SimdVF block reaches no other."""
    buffers = {buffer.name: buffer.scope for buffer in case.kernel.buffers} if case.kernel is not None else {}
    return all(buffers.get(name, "global") != "global" for name in names)


def _in_block(case: Case) -> tuple[Fix, ...]:
    """The copy on the failing line, put into a vector block."""
    for call in fixes.calls(case.tree, case.line or 0, "copy")[:1]:
        text = ast.get_source_segment(case.text, call)
        module = fixes.module_of(call)
        if text is not None and module and "\n" not in text and call.lineno == case.line:
            new = f"with {module}.SimdVF():\n{' ' * (call.col_offset + 4)}{text}"
            return (fixes.fix("Cast in a vector block", fixes.node_replaced(case.text, call, new)),)
    return ()


_SAID = (
    _Said(
        r"T\.copy\(\) from dtype '(\w+)' to dtype '(\w+)' outside a VF block",
        "T.copy({src}, {dst}) casts {0} to {1} outside of a vector block: copies by DMA cannot cast",
        "put the copy into a vector block, between buffers of T.alloc_shared: with T.SimdVF()",
        "copy",
    ),
    _Said(
        r"Buffer store from dtype '(\w+)' to dtype '(\w+)' outside a VF block",
        "this store casts {0} to {1} outside of a vector block",
        "put it into a vector block: with T.SimdVF()",
    ),
    _Said(
        r"T\.Parallel loop '\w+' must be inside a VF block",
        "T.Parallel stands outside of a vector block",
        "put it into with T.SimdVF(): or with T.SimtVF(threads=...):",
        "Parallel",
        loop=True,
    ),
    _Said(
        r"SimdVF requires VReg extent divisible by VReg size \((\d+)\), got (\d+)",
        "the innermost extent of T.Parallel is {1}, and a vector register takes {0} of these elements",
        "make it a multiple of {0}, or use T.SimtVF",
        "Parallel",
        loop=True,
    ),
    _Said(
        r"involving global buffer '(\w+)' -> '(\w+)' inside a SIMD_VF block",
        "a T.SimdVF block cannot reach global memory ({0}, {1})",
        "copy to or from a buffer of T.alloc_shared outside of the block",
        "{0}",
    ),
    _Said(
        r"Buffer(?:Store|Load) (?:to|from) global buffer '(\w+)' inside a SIMD_VF block",
        "a T.SimdVF block cannot reach global memory ({0})",
        "copy to or from a buffer of T.alloc_shared outside of the block",
        "{0}",
    ),
    _Said(
        r"Ascend L1 GEMM currently only supports trans_A=False, trans_B=True",
        "T.gemm: on Ascend {a} is taken as it is and {b} transposed, and no other way",
        "keep {b} as (N, K) and give transpose_B=True",
        "gemm",
    ),
    _Said(
        r"T\.Kernel\(N\) takes exactly one grid extent\. Got (\S+):",
        "T.Kernel: on Ascend the grid has one extent, not {0}",
        "launch the product of the extents and divide the block index",
        "Kernel",
    ),
    _Said(
        r"Buffer '(\w+)' is allocated inside VF block '\w*' but accessed outside",
        "{0} is allocated in a vector block and used outside of it",
        "allocate it before the block",
        "{0}",
    ),
    _Said(
        r"local\.var buffer '(\w+)' is modified inside a SIMD_VF/SIMT_VF block",
        "{0} is a variable from outside of the vector block, which cannot change it",
        "allocate it inside of the block, or keep the value in a buffer",
        "{0}",
    ),
    _Said(
        r"Cannot assign task because its scalar/register inputs are unavailable",
        "no core of an Ascend chip can do this: what it works on is in registers",
        "keep operands of T.gemm in T.alloc_l1 and its accumulator in T.alloc_l0c, vectors in T.alloc_shared",
    ),
)
