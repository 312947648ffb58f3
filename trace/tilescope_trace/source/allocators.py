"""What the functions of the tile language are: allocators with their scopes, operations with their kinds."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from tilescope_trace.model import OperationKind


@dataclass(frozen=True)
class Allocator:
    """``scope`` unless given; the positions of shape, dtype and scope among the arguments (None: there is none);
    the dtype where the function fixes or presumes one."""

    scope: str
    shape: int | None = 0
    dtype: int | None = 1
    scope_at: int | None = 2
    presumed: str | None = None


ALLOCATORS: dict[str, Allocator] = {
    "alloc_shared": Allocator("shared.dyn"),
    "alloc_fragment": Allocator("local.fragment"),
    "alloc_local": Allocator("local"),
    "alloc_global": Allocator("global"),
    "alloc_buffer": Allocator("global"),
    "alloc_var": Allocator("local.var", shape=None, dtype=0, scope_at=None),
    "alloc_tmem": Allocator("shared.tmem", scope_at=None),
    "alloc_reducer": Allocator("local.reducer", scope_at=None),
    "alloc_barrier": Allocator("shared.barrier", shape=None, dtype=None, scope_at=None, presumed="uint64"),
    "alloc_cluster_barrier": Allocator(
        "shared.cluster_barrier", shape=None, dtype=None, scope_at=None, presumed="uint64"
    ),
    "alloc_l1": Allocator("shared.l1"),
    "alloc_l0a": Allocator("shared.l0a"),
    "alloc_l0b": Allocator("shared.l0b"),
    "alloc_l0c": Allocator("shared.l0c"),
    "empty": Allocator("global", scope_at=None, presumed="float32"),
}

TENSORS: dict[str, Allocator] = {
    "Tensor": Allocator("global", scope_at=None, presumed="float32"),
    "Buffer": Allocator("global", scope_at=None, presumed="float32"),
    "StridedTensor": Allocator("global", dtype=2, scope_at=None, presumed="float32"),
    "SharedBuffer": Allocator("shared.dyn", scope_at=None, presumed="float32"),
    "FragmentBuffer": Allocator("local.fragment", scope_at=None, presumed="float32"),
    "LocalBuffer": Allocator("local", scope_at=None, presumed="float32"),
}

_KINDS: tuple[tuple[re.Pattern[str], OperationKind], ...] = (
    (re.compile(r"(?:async_|tma_|dual_)?copy(?:_cluster)?|(?:c2d_)?im2col"), "copy"),
    (re.compile(r"(?:\w+_)?gemm(?:_\w+)?"), "gemm"),
    (re.compile(r"reduce(?:_\w+)?"), "reduce"),
    (re.compile(r"fill|clear"), "fill"),
    (re.compile(r"atomic_\w+"), "atomic"),
    (re.compile(r"Parallel"), "parallel"),
    (re.compile(r"Pipelined"), "pipeline"),
    (re.compile(r"serial|Serial|unroll|Unroll|vectorized|Vectorized|Persistent|grid"), "loop"),
    (re.compile(r"transpose|cumsum|cummax|reducer_\w+|finalize_reducer|tma_(?:gather|scatter)4"), "other"),
)


@functools.cache
def operation_kind(name: str) -> OperationKind | None:
    """The kind of the operation that a function of the tile language is; None for what is none."""
    return next((kind for pattern, kind in _KINDS if pattern.fullmatch(name)), None)


OPERANDS: dict[str, tuple[str, ...]] = {
    "copy": ("src", "dst"),
    "gemm": ("A", "B", "C"),
    "reduce": ("src", "dst"),
    "fill": ("dst", "value"),
    "atomic": ("dst", "value"),
}
"""Names of the first positional operands, by kind."""
