"""Shapes and data types of torch tensors: constructors, views and the common operations."""

from __future__ import annotations

from .dtypes import dtype_name
from .tensor_views import METHODS, Shape, padded
from .values import UNKNOWN, Tensor, Value

_BY_SIZES = frozenset({"randn", "rand", "empty", "zeros", "ones"})
_LIKE = frozenset({"empty_like", "zeros_like", "ones_like", "randn_like", "rand_like", "full_like", "randint_like"})
_SAME = frozenset(
    {"cuda", "cpu", "npu", "clone", "detach", "pin_memory", "requires_grad_", "normal_", "uniform_", "zero_", "fill_"}
    | {"random_", "abs", "exp", "exp2", "log", "log2", "sqrt", "rsqrt", "relu", "sigmoid", "silu", "gelu", "softmax"}
    | {"log_softmax", "clamp", "clamp_", "tanh", "neg", "cumsum", "tril", "triu", "masked_fill", "masked_fill_"}
    | {"add_", "mul_", "div_", "copy_", "scatter_", "index_copy_", "round", "floor", "ceil", "sin", "cos", "normal"}
    | {"share_memory_", "retain_grad", "dropout", "roll", "flip", "data"}
)
_CASTS = {
    "half": "float16",
    "bfloat16": "bfloat16",
    "float": "float32",
    "double": "float64",
    "int": "int32",
    "long": "int64",
    "short": "int16",
    "char": "int8",
    "byte": "uint8",
    "bool": "bool",
}
_REDUCTIONS = frozenset(
    {"sum", "mean", "amax", "amin", "prod", "any", "all", "argmax", "argmin", "std", "var", "logsumexp"}
)
_WRAPPERS = frozenset({"torch.nn.Parameter", "torch.autograd.Variable"})


def torch_function(dotted: str, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """The result of ``torch.…``; UNKNOWN where neither shape nor type is known."""
    head, _, name = dotted.rpartition(".")
    if dotted in _WRAPPERS:
        return args[0] if args else UNKNOWN
    if head not in ("torch", "torch.nn.functional"):
        return UNKNOWN
    constructed = _constructed(name, args, kwargs)
    if constructed is not None:
        return constructed
    if name in _LIKE and args and isinstance(args[0], Tensor):
        return Tensor(args[0].shape, kwargs.get("dtype", args[0].dtype), True)
    if name in ("stack", "cat", "concat", "concatenate"):
        return _joined(name, args, kwargs)
    if name == "matmul" and len(args) == 2:
        return matmul(args[0], args[1])
    if name == "where" and len(args) == 3:
        return broadcast(args[1], args[2])
    if args and isinstance(args[0], Tensor):
        return tensor_method(args[0], name, args[1:], kwargs)
    return UNKNOWN


def _constructed(name: str, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Tensor | None:
    sizes: Value = UNKNOWN
    natural: Value = "float32"
    if name in _BY_SIZES:
        sizes = _sizes(kwargs.get("size", args))
    elif name == "full":
        sizes, natural = _sizes(kwargs.get("size", args[:1])), UNKNOWN
    elif name == "randint":
        given = kwargs.get("size", next((item for item in args if isinstance(item, (tuple, list))), UNKNOWN))
        sizes, natural = _sizes((given,)), "int64"
    elif name in ("arange", "randperm"):
        counts = (
            range(*args) if 1 <= len(args) <= 3 and all(type(a) is int for a in args) and args[2:] != (0,) else None
        )
        sizes, natural = (UNKNOWN,) if counts is None else (len(counts),), "int64"
    elif name == "linspace":
        sizes = (kwargs.get("steps", args[2] if len(args) > 2 else UNKNOWN),)
    elif name == "eye" and args:
        sizes = (args[0], args[1] if len(args) > 1 else args[0])
    elif name in ("tensor", "as_tensor") and args and not isinstance(args[0], Tensor):
        sizes, natural = _nested(args[0]), UNKNOWN
    else:
        return None
    return Tensor(sizes, kwargs.get("dtype", natural), True)


def _sizes(given: Value) -> Value:
    """``(M, K)`` of ``randn(M, K)`` and ``randn((M, K))``."""
    if isinstance(given, (tuple, list)) and len(given) == 1 and isinstance(given[0], (tuple, list)):
        given = given[0]
    elif isinstance(given, (tuple, list)) and len(given) == 1 and not isinstance(given[0], int):
        return UNKNOWN
    return tuple(given) if isinstance(given, (tuple, list)) else UNKNOWN


def _nested(data: Value) -> Value:
    shape: list[Value] = []
    while isinstance(data, (list, tuple)):
        shape.append(len(data))
        data = data[0] if data else None
    return UNKNOWN if data is UNKNOWN and not shape else tuple(shape)


def _joined(name: str, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    parts = args[0] if args else UNKNOWN
    axis = kwargs.get("dim", args[1] if len(args) > 1 else 0)
    if not isinstance(parts, (tuple, list)) or not parts or type(axis) is not int:
        return UNKNOWN
    first = parts[0]
    if not isinstance(first, Tensor) or first.shape is UNKNOWN:
        return UNKNOWN
    shape = list(first.shape)
    if name == "stack":
        shape.insert(axis if axis >= 0 else len(shape) + 1 + axis, len(parts))
        return Tensor(tuple(shape), first.dtype, True)
    if not -len(shape) <= axis < len(shape):
        return UNKNOWN
    extents = [
        part.shape[axis]
        if isinstance(part, Tensor) and part.shape is not UNKNOWN and len(part.shape) > axis
        else UNKNOWN
        for part in parts
    ]
    whole = [extent for extent in extents if isinstance(extent, int)]
    shape[axis] = sum(whole) if len(whole) == len(extents) else UNKNOWN
    return Tensor(tuple(shape), first.dtype, True)


def attribute(tensor: Tensor, name: str) -> Value:
    """``shape``, ``dtype``, ``ndim``, ``T`` and the like."""
    if name == "shape":
        return tensor.shape
    if name == "dtype":
        return tensor.dtype
    if name in ("grad", "data"):
        return tensor
    if name == "ndim":
        return UNKNOWN if tensor.shape is UNKNOWN else len(tensor.shape)
    if name in ("T", "mT"):
        return (
            tensor_method(tensor, "transpose", (-2, -1), {})
            if _rank(tensor) in (None, 2) or name == "mT"
            else UNKNOWN
        )
    return UNKNOWN


def tensor_method(tensor: Tensor, name: str, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """What a method of a tensor gives; UNKNOWN for one that is not in the list."""
    if name in _SAME:
        return tensor
    if name == "contiguous":
        return Tensor(tensor.shape, tensor.dtype, True)
    if name in _CASTS:
        return Tensor(tensor.shape, _CASTS[name], tensor.contiguous)
    if name in ("to", "type", "astype"):
        return _cast(tensor, args, kwargs)
    if name.startswith("new_"):
        made = _constructed(name[4:], args, kwargs)
        return UNKNOWN if made is None else Tensor(made.shape, kwargs.get("dtype", tensor.dtype), True)
    if tensor.shape is UNKNOWN:
        return UNKNOWN
    method = METHODS.get(name)
    if method is not None:
        return method(tensor, tensor.shape, (*args, *kwargs.values()) if name not in _REDUCTIONS else args)
    if name in _REDUCTIONS:
        return _reduced(tensor, tensor.shape, args, kwargs)
    return UNKNOWN


def _cast(tensor: Tensor, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Tensor:
    for given in (*args, kwargs.get("dtype")):
        if isinstance(given, Tensor):
            return Tensor(tensor.shape, given.dtype, tensor.contiguous)
        if isinstance(given, str) and (name := dtype_name(given.rpartition(".")[2])) is not None:
            return Tensor(tensor.shape, name, tensor.contiguous)
        if given is UNKNOWN:
            return Tensor(tensor.shape, UNKNOWN, tensor.contiguous)
    return tensor


def _reduced(tensor: Tensor, shape: Shape, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    axes = kwargs.get("dim", args[0] if args else None)
    keep = kwargs.get("keepdim", args[1] if len(args) > 1 else False)
    if axes is None:
        return Tensor((), tensor.dtype, True)
    chosen = axes if isinstance(axes, (tuple, list)) else (axes,)
    if not all(type(axis) is int and -len(shape) <= axis < len(shape) for axis in chosen):
        return UNKNOWN
    dropped = {axis % len(shape) for axis in chosen}
    left = [1 if i in dropped else extent for i, extent in enumerate(shape) if keep is True or i not in dropped]
    return Tensor(tuple(left), tensor.dtype, True)


def index(tensor: Tensor, key: Value) -> Value:
    """``tensor[key]`` for integers, slices, None and an ellipsis."""
    if tensor.shape is UNKNOWN:
        return UNKNOWN
    if isinstance(key, Tensor):
        return _picked(tensor, key)
    keys = key if isinstance(key, tuple) else (key,)
    consumed = sum(1 for item in keys if item is not None and item is not Ellipsis)
    left = list(tensor.shape)
    if consumed > len(left):
        return UNKNOWN
    shape: list[Value] = []
    for item in keys:
        if item is None:
            shape.append(1)
        elif item is Ellipsis:
            while len(left) > consumed:
                shape.append(left.pop(0))
        else:
            consumed -= 1
            extent = left.pop(0)
            if isinstance(item, slice):
                shape.append(_sliced(extent, item))
            elif type(item) is not int:
                return UNKNOWN
    return Tensor((*shape, *left), tensor.dtype)


def _picked(tensor: Tensor, key: Tensor) -> Value:
    """``tensor[key]``: as many elements as a mask has set, which is not known, or as an index has elements."""
    if tensor.shape is UNKNOWN or key.shape is UNKNOWN:
        return UNKNOWN
    if key.dtype == "bool":
        return Tensor((UNKNOWN, *tensor.shape[len(key.shape) :]), tensor.dtype, True)
    return Tensor((*key.shape, *tensor.shape[1:]), tensor.dtype, True) if key.dtype is not UNKNOWN else UNKNOWN


def _sliced(extent: Value, cut: slice) -> Value:
    if cut == slice(None):
        return extent
    if type(extent) is not int:
        return UNKNOWN
    try:
        return len(range(extent)[cut])
    except (TypeError, ValueError):
        return UNKNOWN


def broadcast(left: Value, right: Value) -> Value:
    """The result of an elementwise operation; a tensor's type wins over a number's."""
    if not isinstance(left, Tensor) or not isinstance(right, Tensor):
        return left if isinstance(left, Tensor) else right if isinstance(right, Tensor) else UNKNOWN
    dtype = left.dtype if left.dtype == right.dtype else UNKNOWN
    if left.shape is UNKNOWN or right.shape is UNKNOWN:
        return Tensor(UNKNOWN, dtype)
    rank = max(len(left.shape), len(right.shape))
    pairs = zip(padded(left.shape, rank), padded(right.shape, rank), strict=True)
    shape = tuple(
        b if type(a) is int and a == 1 else a if type(b) is int and b == 1 else a if a == b else UNKNOWN
        for a, b in pairs
    )
    return Tensor(shape, dtype, True)


def mask(left: Value, right: Value) -> Value:
    """The result of comparing element by element."""
    both = broadcast(left, right)
    return Tensor(both.shape, "bool", True) if isinstance(both, Tensor) else UNKNOWN


def matmul(left: Value, right: Value) -> Value:
    if (
        not (isinstance(left, Tensor) and isinstance(right, Tensor))
        or left.shape is UNKNOWN
        or right.shape is UNKNOWN
    ):
        return UNKNOWN
    if len(left.shape) < 2 or len(right.shape) < 2:
        return UNKNOWN
    batch = left.shape[:-2] if len(left.shape) >= len(right.shape) else right.shape[:-2]
    return Tensor((*batch, left.shape[-2], right.shape[-1]), left.dtype, True)


def _rank(tensor: Tensor) -> int | None:
    return None if tensor.shape is UNKNOWN else len(tensor.shape)
