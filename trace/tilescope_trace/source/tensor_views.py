"""Methods of torch tensors that give another shape, or a number of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from .dtypes import bits
from .values import UNKNOWN, Tensor, Value

Shape = tuple[Value, ...]


def padded(shape: Shape, rank: int) -> Shape:
    return (1,) * (rank - len(shape)) + tuple(shape)


def _size(_tensor: Tensor, shape: Shape, args: Sequence[Value]) -> Value:
    if not args:
        return shape
    return shape[args[0]] if type(args[0]) is int and -len(shape) <= args[0] < len(shape) else UNKNOWN


def _stride(tensor: Tensor, shape: Shape, args: Sequence[Value]) -> Value:
    if not tensor.contiguous or not all(type(extent) is int for extent in shape):
        return UNKNOWN
    strides = tuple(math.prod(shape[i + 1 :]) for i in range(len(shape)))
    return _size(tensor, strides, args)


def _numel(_tensor: Tensor, shape: Shape, _args: Sequence[Value]) -> Value:
    return math.prod(shape) if all(type(extent) is int for extent in shape) else UNKNOWN


def _transpose(tensor: Tensor, shape: Shape, args: Sequence[Value]) -> Value:
    if len(args) != 2 or not all(type(axis) is int and -len(shape) <= axis < len(shape) for axis in args):
        return UNKNOWN
    changed = list(shape)
    changed[args[0]], changed[args[1]] = changed[args[1]], changed[args[0]]
    return Tensor(tuple(changed), tensor.dtype)


def _permute(tensor: Tensor, shape: Shape, args: Sequence[Value]) -> Value:
    axes = args[0] if len(args) == 1 and isinstance(args[0], (tuple, list)) else args
    if sorted(a % len(shape) if type(a) is int and shape else -1 for a in axes) != list(range(len(shape))):
        return UNKNOWN
    return Tensor(tuple(shape[axis] for axis in axes), tensor.dtype)


def _view(tensor: Tensor, shape: Shape, args: Sequence[Value]) -> Value:
    if len(args) == 1 and isinstance(args[0], str):
        return _reinterpreted(tensor, shape, args[0])
    sizes = list(args[0]) if len(args) == 1 and isinstance(args[0], (tuple, list)) else list(args)
    if sizes.count(-1) == 1:
        others = [size for size in sizes if size != -1]
        total = _numel(tensor, shape, ())
        known = all(type(size) is int and size > 0 for size in others) and type(total) is int
        sizes[sizes.index(-1)] = total // math.prod(others) if known else UNKNOWN
    return Tensor(tuple(sizes), tensor.dtype, tensor.contiguous)


def _reinterpreted(tensor: Tensor, shape: Shape, dtype: str) -> Value:
    before, after = bits(tensor.dtype) if isinstance(tensor.dtype, str) else None, bits(dtype)
    last = shape[-1] if shape else UNKNOWN
    extent = last * before // after if before and after and type(last) is int else UNKNOWN
    return Tensor((*shape[:-1], extent), dtype, tensor.contiguous)


def _unsqueeze(tensor: Tensor, shape: Shape, args: Sequence[Value]) -> Value:
    if not args or type(args[0]) is not int:
        return UNKNOWN
    axis = args[0] if args[0] >= 0 else len(shape) + 1 + args[0]
    return Tensor((*shape[:axis], 1, *shape[axis:]), tensor.dtype, tensor.contiguous)


def _squeeze(tensor: Tensor, shape: Shape, args: Sequence[Value]) -> Value:
    if not args:
        known = all(type(extent) is int for extent in shape)
        return (
            Tensor(tuple(extent for extent in shape if extent != 1), tensor.dtype, tensor.contiguous)
            if known
            else UNKNOWN
        )
    if type(args[0]) is not int or not -len(shape) <= args[0] < len(shape):
        return UNKNOWN
    axis = args[0] % len(shape)
    return (
        Tensor((*shape[:axis], *shape[axis + 1 :]), tensor.dtype, tensor.contiguous) if shape[axis] == 1 else tensor
    )


def _expand(tensor: Tensor, shape: Shape, args: Sequence[Value]) -> Value:
    sizes = list(args[0]) if len(args) == 1 and isinstance(args[0], (tuple, list)) else list(args)
    if len(sizes) < len(shape):
        return UNKNOWN
    before = padded(shape, len(sizes))
    return Tensor(tuple(old if size == -1 else size for size, old in zip(sizes, before, strict=True)), tensor.dtype)


def _repeat(tensor: Tensor, shape: Shape, args: Sequence[Value]) -> Value:
    times = list(args[0]) if len(args) == 1 and isinstance(args[0], (tuple, list)) else list(args)
    if len(times) < len(shape):
        return UNKNOWN
    pairs = zip(padded(shape, len(times)), times, strict=True)
    sizes = tuple(a * b if type(a) is int and type(b) is int else UNKNOWN for a, b in pairs)
    return Tensor(sizes, tensor.dtype, True)


def _flatten(tensor: Tensor, shape: Shape, args: Sequence[Value]) -> Value:
    first, last = [*args, 0, -1][:2] if len(args) != 1 else (args[0], -1)
    if type(first) is not int or type(last) is not int or not shape:
        return UNKNOWN
    first, last = first % len(shape), last % len(shape)
    merged = shape[first : last + 1]
    size = math.prod(merged) if all(type(extent) is int for extent in merged) else UNKNOWN
    return Tensor((*shape[:first], size, *shape[last + 1 :]), tensor.dtype, tensor.contiguous)


def _chunk(tensor: Tensor, shape: Shape, args: Sequence[Value]) -> Value:
    count, axis = args[0] if args else UNKNOWN, args[1] if len(args) > 1 else 0
    if type(count) is not int or not 0 < count <= 64 or type(axis) is not int or not -len(shape) <= axis < len(shape):
        return UNKNOWN
    extent = shape[axis]
    if type(extent) is not int or extent % count:
        return UNKNOWN
    changed = list(shape)
    changed[axis] = extent // count
    return tuple(Tensor(tuple(changed), tensor.dtype) for _ in range(count))


def _topk(tensor: Tensor, shape: Shape, args: Sequence[Value]) -> Value:
    """Values and indices of the ``k`` largest along the last axis (``sorted`` and ``largest`` change nothing)."""
    axis = args[1] if len(args) > 1 and type(args[1]) is int else -1
    if not args or not shape or axis not in (-1, len(shape) - 1):
        return UNKNOWN
    left = (*shape[:-1], args[0])
    return Tensor(left, tensor.dtype, True), Tensor(left, "int64", True)


def _sort(tensor: Tensor, shape: Shape, _args: Sequence[Value]) -> Value:
    return Tensor(shape, tensor.dtype, True), Tensor(shape, "int64", True)


def _repeat_interleave(tensor: Tensor, shape: Shape, args: Sequence[Value]) -> Value:
    if len(args) < 2 or type(args[1]) is not int or not -len(shape) <= args[1] < len(shape):
        return UNKNOWN
    changed = list(shape)
    extent = changed[args[1]]
    changed[args[1]] = extent * args[0] if type(extent) is int and type(args[0]) is int else UNKNOWN
    return Tensor(tuple(changed), tensor.dtype, True)


def _element_size(tensor: Tensor, _shape: Shape, _args: Sequence[Value]) -> Value:
    width = bits(tensor.dtype) if isinstance(tensor.dtype, str) else None
    return width // 8 if width else UNKNOWN


METHODS: dict[str, Callable[[Tensor, Shape, Sequence[Value]], Value]] = {
    "chunk": _chunk,
    "dim": lambda _tensor, shape, _args: len(shape),
    "element_size": _element_size,
    "expand": _expand,
    "flatten": _flatten,
    "is_contiguous": lambda tensor, _shape, _args: True if tensor.contiguous else UNKNOWN,
    "numel": _numel,
    "permute": _permute,
    "repeat": _repeat,
    "reshape": _view,
    "size": _size,
    "repeat_interleave": _repeat_interleave,
    "sort": _sort,
    "squeeze": _squeeze,
    "stride": _stride,
    "swapaxes": _transpose,
    "t": lambda tensor, shape, _args: Tensor(shape[::-1], tensor.dtype) if len(shape) == 2 else UNKNOWN,
    "topk": _topk,
    "transpose": _transpose,
    "unsqueeze": _unsqueeze,
    "view": _view,
}
