"""What tile operations became: instructions and vector widths by source line, from the vectorized module."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Any

import tvm

from tilescope_worker.wire.facts import Json

from .buffers import bits
from .ir import Location, as_int, children, kernel_bodies, location, op_name, operands

_EXACT = {
    "ptx_cp_async": "cp_async",
    "ptx_ldmatrix": "ldmatrix",
    "ptx_stmatrix": "stmatrix",
    "tma_store": "tma_store",
    "tma_store_scatter4": "tma_store",
    "tma_store_cluster": "tma_store",
    "ptx_cluster_store": "cluster_store",
    "tcgen05_ld": "tcgen05_ld",
    "tcgen05_st": "tcgen05_st",
    "tvm_mfma": "mfma",
    "tvm_rdna_wmma": "wmma",
    "make_filled_simdgroup_matrix": "simdgroup",
    "ascend_fill_l1": "dma",
    "ascend_gemm_l1": "cube",
    "ascend_blockscaled_gemm_l1": "cube",
    "ascend_read_gm_bypass_dcache": "scalar",
    "ascend_write_gm_bypass_dcache": "scalar",
}
_PREFIXES = {
    "tma_load": "tma_load",
    "ptx_wgmma": "wgmma",
    "ptx_tcgen05_mma": "tcgen05",
    "ptx_mma": "mma",
    "simdgroup_": "simdgroup",
    "cooperative_tensor_": "simdgroup",
    "ascend_copy_": "dma",
    "ascend_load_cbuf": "dma",
    "ascend_mad": "cube",
    "atomic_": "atomic",
    "warp_reduce_": "warp_reduce",
    "shfl_": "shuffle",
}
_MATRIX_UNITS = frozenset({"wgmma", "mma", "tcgen05", "mfma", "wmma"})
_ADDRESSES = frozenset({"access_ptr", "tvm_access_ptr", "address_of", "create_tma_descriptor"})
_SHAPE = re.compile(r"m\d+n\d+k\d+|\d+x\d+x\d+")
_ALL_REDUCE = "tl::AllReduce"
_PARTICIPANTS = re.compile(r"AllReduce<[^,]+, (\d+), (\d+)")


@dataclass
class Lowered:
    """Instruction names in order of first appearance, matrix instructions with their shape, and the narrowest vector
    access to memory outside registers as (elements, bytes), the narrowest atomic likewise. ``unsure`` is whether
    there are accesses of a width that cannot be told."""

    names: list[str] = field(default_factory=list)
    instructions: list[str] = field(default_factory=list)
    narrowest: tuple[int, int] | None = None
    all_reduce: str | None = None
    atomic: tuple[int, int] | None = None
    registers_only: bool = False
    unsure: bool = False

    def add(self, name: str) -> None:
        if name not in self.names:
            self.names.append(name)

    def add_access(self, elements: int, size: int) -> None:
        if self.narrowest is None or size < self.narrowest[1]:
            self.narrowest = (elements, size)

    def detail(self) -> dict[str, Json]:
        """The facts beside the names, for an operation's ``detail``."""
        found: dict[str, Json] = {}
        if self.instructions:
            found["instruction"] = self.instructions[0] if len(self.instructions) == 1 else self.instructions
        if self.narrowest is not None and not self.unsure:
            found["vector_elements"], found["vector_bytes"] = self.narrowest
        if self.all_reduce is not None:
            found |= {"all_reduce": self.all_reduce} | _participants(self.all_reduce)
        if self.atomic is not None:
            found["atomic_elements"], found["atomic_bytes"] = self.atomic
        return found


def _participants(all_reduce: str) -> dict[str, Json]:
    """How many threads reduce together, and how far apart they are."""
    found = _PARTICIPANTS.search(all_reduce)
    if found is None:
        return {}
    span, stride = int(found[1]), int(found[2])
    return {"reduce_threads": span // stride, "reduce_stride": stride} if stride else {}


def lowered(mod: Any, wanted: AbstractSet[Location]) -> dict[Location, Lowered]:
    """What the lines in ``wanted`` became. A statement without a line, or with one of TileLang's own files, belongs
    to the wanted line it is nested in."""
    found: dict[Location, Lowered] = {}
    for body in kernel_bodies(mod):
        _walk(body, None, wanted, found)
    return found


def _walk(stmt: Any, inside: Location | None, wanted: AbstractSet[Location], found: dict[Location, Lowered]) -> None:
    where = location(stmt)
    if where in wanted:
        inside = where
    elif where is not None and inside is not None and where.file == inside.file:
        inside = None  # another statement of the author's, moved in between
    if inside is not None:
        _read(stmt, found.setdefault(inside, Lowered()))
    for child in children(stmt):
        _walk(child, inside, wanted, found)


def _read(stmt: Any, into: Lowered) -> None:
    kind = type(stmt).__name__
    if kind == "BufferStore":
        _values(stmt.value, into)
        _access(stmt.buffer, stmt.indices, str(stmt.value.dtype), "vector_st", into)
    elif kind in ("Evaluate", "Bind"):
        _values(stmt.value, into)


def _values(expression: Any, into: Lowered) -> None:
    """Instructions and memory reads in the order an expression is evaluated, addresses left out."""
    if type(expression).__name__ == "BufferLoad":
        _access(expression.buffer, expression.indices, str(expression.dtype), "vector_ld", into)
        return
    operator = op_name(expression)
    short = operator.rpartition(".")[2]
    if short in _ADDRESSES:
        return
    name = instruction_name(operator)
    if name is not None:
        _instruction(name, expression, into)
        return
    if operator.endswith("call_extern") and str(getattr(expression.args[0], "value", "")).startswith(_ALL_REDUCE):
        into.add("all_reduce")
        into.all_reduce = str(expression.args[0].value)
    for operand in operands(expression):
        _values(operand, into)


def instruction_name(operator: str) -> str | None:
    """Our name for an operator of the compiler (``tl.ptx_wgmma_ss`` → ``wgmma``), None for one that is no memory or
    matrix instruction."""
    if ".simd." in operator:
        return "vector"
    short = operator.rpartition(".")[2]
    if short in _EXACT:
        return _EXACT[short]
    if short.endswith("_noinc"):
        return None
    return next((name for prefix, name in _PREFIXES.items() if short.startswith(prefix)), None)


def _instruction(name: str, call: Any, into: Lowered) -> None:
    into.add(name)
    if name in _MATRIX_UNITS:
        shape = str(getattr(call.args[0], "value", ""))
        text = f"{name} {shape}"
        if _SHAPE.search(shape) and text not in into.instructions:
            into.instructions.append(text)
    elif name == "cp_async":
        elements = as_int(call.args[2])
        dtype = str(call.args[0].args[0].dtype)
        if elements is not None:
            into.add_access(elements, elements * bits(dtype) // 8)
    elif name == "atomic" and len(call.args) > 1:
        dtype = str(call.args[1].dtype)
        size = bits(dtype) // 8
        if size and (into.atomic is None or size < into.atomic[1]):
            into.atomic = (int(tvm.DataType(dtype).lanes), size)


def _access(buffer: Any, indices: Any, dtype: str, vector_name: str, into: Lowered) -> None:
    scope = str(buffer.scope())
    if scope.startswith("local"):
        into.registers_only = True
        return
    if scope.endswith("barrier"):
        return  # synchronization, not data
    elements = int(tvm.DataType(dtype).lanes)
    together = _is_contiguous(indices[-1]) if elements > 1 else True
    if together is None:
        into.unsure = True
        return
    if not together:
        elements = 1  # a gather or scatter is taken apart element by element
    into.add(vector_name if elements > 1 else "scalar")
    into.add_access(elements, elements * (bits(dtype) // int(tvm.DataType(dtype).lanes)) // 8)


def _is_contiguous(index: Any) -> bool | None:
    """Whether the lanes of an access lie side by side, None where that is not sure. A scalar index is that of a
    buffer of vectors."""
    if _lanes(index) == 1:
        return True
    step = _stride(index)
    if step is not None:
        return step == 1
    return False if _is_looked_up(index) else None


def _stride(index: Any) -> int | None:
    """The distance between neighbouring lanes of a vector index, None where they are not known to be even. A guarded
    access adds its ramp to a broadcast offset and casts both."""
    if _lanes(index) == 1:
        return 0
    kind = type(index).__name__
    if kind == "Ramp":
        return as_int(index.stride)
    if kind == "Broadcast":
        return 0
    if kind == "Cast":
        return _stride(index.value)
    if kind in ("Add", "Sub"):
        first, second = _stride(index.a), _stride(index.b)
        if first is None or second is None:
            return None
        return first + second if kind == "Add" else first - second
    if op_name(index).endswith("if_then_else"):
        first, second = _stride(index.args[1]), _stride(index.args[2])
        return first if first == second and _lanes(index.args[0]) == 1 else None
    return None


def _is_looked_up(index: Any) -> bool:
    """Whether an index is read from memory."""
    return type(index).__name__ == "BufferLoad" or any(_is_looked_up(operand) for operand in operands(index))


def _lanes(expression: Any) -> int:
    return int(tvm.DataType(str(expression.dtype)).lanes)
