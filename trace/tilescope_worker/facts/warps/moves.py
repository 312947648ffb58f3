"""What one memory instruction moves: loads and stores, copies, matrix instructions, atomics."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from tilescope_worker.facts.buffers import bits
from tilescope_worker.facts.ir import Expression, Location, as_int, op_name
from tilescope_worker.wire.facts import AccessMode

from .banks import Kind
from .expressions import UnreadableError, lanes_of, stride_of
from .scope import Scope

Space = Literal["shared", "global"]
VECTOR_BYTES = 16
"""The widest access of one instruction; wider ones are several."""

_ROWS = {1: 8, 2: 16, 4: 32}
"""Lanes whose addresses a matrix instruction of so many 8 x 8 matrices takes."""
_SWIZZLES = (1, 2, 3)
"""Modes of descriptors that swizzle: of 128, 64 and 32 bytes."""


@dataclass(frozen=True)
class Request:
    """One memory instruction. Each text of ``offsets`` gives the byte offset in the buffer at which a lane begins
    (several where one statement becomes several instructions), ``width`` the bytes it moves there. ``source`` is the
    text of the offset that an asynchronous copy reads. ``rows`` is the number of lanes whose addresses a matrix
    instruction takes. ``fixed`` is whether hardware lays the access out without conflicts. ``guards`` are texts that
    hold for the lanes that take part, ``hidden`` says what else that depends on; ``looped`` is whether it is in a
    loop that is not unrolled."""

    buffer: str
    space: Space
    mode: AccessMode
    instruction: str
    kind: Kind
    width: int | None = None
    offsets: tuple[str, ...] = ()
    source: str | None = None
    rows: int | None = None
    fixed: bool = False
    unsure: str | None = None
    where: Location | None = None
    guards: tuple[str, ...] = ()
    hidden: str | None = None
    looped: bool = False


@dataclass(frozen=True)
class _Pointer:
    """An element of ``size`` bytes of a buffer."""

    buffer: Any
    index: Expression
    size: int


class Moves:
    """Reads instructions of one kernel. ``buffers`` has the buffers by their data variables and may grow."""

    def __init__(self, scope: Scope, buffers: dict[Any, Any]) -> None:
        self._scope = scope
        self._buffers = buffers
        self._calls: dict[str, Callable[[Expression, str], Iterator[Request]]] = {
            "ptx_cp_async": self._async_copy,
            "ptx_ldmatrix": self._matrix,
            "ptx_stmatrix": self._matrix,
            "initialize_wgmma_descriptor": self._descriptor,
            "tma_load": self._bulk,
            "tma_store": self._bulk,
        }

    def is_instruction(self, name: str) -> bool:
        """Whether a call of that name is a memory instruction whose operands are no accesses of their own."""
        return name in self._calls

    def call(self, call: Expression, name: str) -> Iterator[Request]:
        """The requests of a call that is an instruction, or an atomic; none for any other."""
        read = self._calls.get(name)
        if read is not None:
            yield from read(call, name)
        elif name.startswith("atomic_"):
            yield from self._atomic(call, name)

    def access(self, buffer: Any, indices: Any, lanes: int, mode: AccessMode) -> Iterator[Request]:
        """A load or store of ``lanes`` elements, in instructions of up to 16 bytes; a gather goes one by one."""
        space = space_of(buffer)
        if space is None:
            return
        kind: Kind = "load" if mode == "read" else "store"
        size = bits(str(buffer.dtype))
        if len(indices) != 1 or size % 8:
            why = "elements share bytes" if size % 8 else "the buffer is not flat"
            yield self._request(buffer, space, mode, "scalar", kind, unsure=why)
            return
        index, size = indices[0], size // 8
        count = lanes_of(index)
        step = stride_of(index) if count > 1 else 1
        together = step == 1
        vector = max(count, lanes) > 1 and together
        name = ("vector_ld" if mode == "read" else "vector_st") if vector else "scalar"
        if step is None:
            why = "the elements of a vector lie anywhere"
            yield self._request(buffer, space, mode, name, kind, unsure=why)
            return
        whole, stride = size * count, size * step
        width = min(whole, VECTOR_BYTES) if together else size
        starts = range(0, whole, VECTOR_BYTES) if together else range(0, stride * count, stride) if step else range(1)
        yield self._at(buffer, space, mode, name, kind, index, size, width, starts=starts)

    def _atomic(self, call: Expression, name: str) -> Iterator[Request]:
        target = self._pointer(call.args[0]) if call.args else None
        space = space_of(target.buffer) if target is not None else None
        if target is None or space is None:
            return
        width = target.size * (4 if "x4" in name else 2 if "x2" in name else 1)
        yield self._at(target.buffer, space, "atomic", "atomic", "atomic", target.index, target.size, width)

    def _async_copy(self, call: Expression, _: str) -> Iterator[Request]:
        target, source = self._pointer(call.args[0]), self._pointer(call.args[1])
        elements = as_int(call.args[2])
        if target is None or source is None or elements is None:
            return
        name, width = "cp_async", elements * target.size
        try:
            read = f"{self._scope.text(source.index)}*{source.size}"
        except UnreadableError:
            read = None
        yield self._at(target.buffer, "shared", "write", name, "async", target.index, target.size, width, source=read)
        yield self._at(source.buffer, "global", "read", name, "load", source.index, source.size, width)

    def _matrix(self, call: Expression, name: str) -> Iterator[Request]:
        target, matrices = self._pointer(call.args[2]), as_int(call.args[1])
        if target is None or matrices not in _ROWS:
            return
        mode: AccessMode = "read" if name == "ptx_ldmatrix" else "write"
        short, rows = name.removeprefix("ptx_"), _ROWS[matrices]
        yield self._at(target.buffer, "shared", mode, short, "matrix", target.index, target.size, 16, rows=rows)

    def _descriptor(self, call: Expression, _: str) -> Iterator[Request]:
        """A matrix operand that the tensor cores read by themselves, through a descriptor with a swizzle mode."""
        target = self._pointer(call.args[1])
        if target is None:
            return
        swizzled = as_int(call.args[2]) in _SWIZZLES
        why = None if swizzled else "the operand is read without a swizzle"
        yield self._request(target.buffer, "shared", "read", "wgmma", "matrix", fixed=swizzled, unsure=why)

    def _bulk(self, call: Expression, name: str) -> Iterator[Request]:
        """A tile that the tensor memory accelerator moves, with the swizzle of its descriptor."""
        mode: AccessMode = "write" if name == "tma_load" else "read"
        targets = [pointer for pointer in map(self._pointer, call.args) if pointer is not None]
        if not targets:
            return
        has_descriptor = op_name(call.args[0]).endswith("create_tma_descriptor")
        swizzled = has_descriptor and as_int(call.args[0].args[-3]) in _SWIZZLES
        why = None if swizzled else "the tile is moved without a swizzle"
        yield self._request(targets[0].buffer, "shared", mode, name, "matrix", fixed=swizzled, unsure=why)

    def _pointer(self, expression: Expression) -> _Pointer | None:
        """The element that a pointer names; None for any other argument."""
        name = op_name(expression).rpartition(".")[2]
        if name == "handle_add_byte_offset":
            return self._pointer(expression.args[0])
        if name == "tvm_access_ptr":
            buffer = self._buffers.get(expression.args[1])
            size = bits(str(expression.args[0].dtype))
            return None if buffer is None or size % 8 else _Pointer(buffer, expression.args[2], size // 8)
        if name == "address_of" and type(expression.args[0]).__name__ == "BufferLoad":
            load = expression.args[0]
            size = bits(str(load.buffer.dtype))
            flat = len(load.indices) == 1 and size % 8 == 0
            return _Pointer(load.buffer, load.indices[0], size // 8) if flat else None
        return None

    def _at(
        self,
        buffer: Any,
        space: Space,
        mode: AccessMode,
        instruction: str,
        kind: Kind,
        index: Expression,
        size: int,
        width: int,
        starts: range = range(1),
        **more: Any,
    ) -> Request:
        try:
            text = self._scope.text(index)
            more["offsets"] = tuple(f"{text}*{size}+{start}" if start else f"{text}*{size}" for start in starts)
        except UnreadableError as reason:
            more["unsure"] = str(reason)
        return self._request(buffer, space, mode, instruction, kind, width=width, **more)

    def _request(
        self, buffer: Any, space: Space, mode: AccessMode, instruction: str, kind: Kind, **more: Any
    ) -> Request:
        name = str(self._buffers.get(buffer.data, buffer).name)
        return Request(name, space, mode, instruction, kind, **more)


def space_of(buffer: Any) -> Space | None:
    """The memory that a buffer lies in, None for registers, barriers and other things."""
    scope = str(buffer.scope())
    if scope == "global":
        return "global"
    return "shared" if scope in ("shared", "shared.dyn") else None
