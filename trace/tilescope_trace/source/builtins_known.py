"""Functions of Python, math, torch and TileLang whose results are known when their arguments are."""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Callable

from .dtypes import dtype_name
from .names import language_member
from .values import UNKNOWN, Namespace, Parser, Tensor, Value, is_plain

_LANGUAGE = frozenset({"ceildiv", "min", "max"})
"""Functions of the tile language that compute on numbers."""

MATH = {"pi": math.pi, "e": math.e, "inf": math.inf}
_MOST = 4096
"""Elements a container may have before it is not worth knowing."""

_PASS_CONFIG = re.compile(r"tilelang\b.*\bPassConfigKey\.(\w+)(?:\.value)?")

_SAME_SHAPE = frozenset(
    {"cuda", "cpu", "npu", "to", "type", "half", "float", "bfloat16", "double", "int", "long", "clone", "detach"}
    | {"contiguous", "pin_memory", "requires_grad_", "normal_", "uniform_", "zero_", "fill_", "random_"}
)
_BY_SIZES = frozenset({"randn", "rand", "empty", "zeros", "ones"})
_BY_SHAPE_ARGUMENT = {"full": 0, "randint": -1}
_LIKE = frozenset({"empty_like", "zeros_like", "ones_like", "randn_like", "rand_like", "full_like", "clone"})


@functools.cache
def may_be_known(dotted: str) -> bool:
    """False for what only builds a kernel (``T.copy``, ``T.alloc_shared``)."""
    member = language_member(dotted)
    return member is None or member in _LANGUAGE or member == "const"


def imported(dotted: str) -> Value:
    """The value of an imported name: data types and pass configs are their names, the rest is not known."""
    head, _, last = dotted.rpartition(".")
    if head == "torch" or language_member(dotted) is not None or head == "tilelang.language.dtypes":
        return dtype_name(last) or UNKNOWN
    config = _PASS_CONFIG.fullmatch(dotted)
    if config is not None:
        return config[1]
    if head == "math" and last in {"pi", "e", "inf"}:
        return MATH[last]
    return UNKNOWN


def builtin(name: str, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """A builtin called by its bare name."""
    if name == "dict" and not args:
        return dict(kwargs)
    function = _BUILTINS.get(name)
    if function is None or kwargs or not all(is_plain(argument) or isinstance(argument, range) for argument in args):
        return UNKNOWN
    return _attempt(function, args)


def library(dotted: str, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """A function of an imported module, by its dotted name."""
    head, _, last = dotted.rpartition(".")
    if head == "torch":
        return _tensor(last, args, kwargs)
    if dotted in {"tilelang.cdiv", "triton.cdiv"} or (language_member(dotted) == "ceildiv"):
        return _attempt(_ceildiv, args) if len(args) == 2 and all(type(arg) is int for arg in args) else UNKNOWN
    function = _LIBRARY.get(dotted)
    if function is None and language_member(dotted) in {"min", "max"}:
        function = min if last == "min" else max
    if function is None or kwargs or not all(is_plain(argument) for argument in args):
        return UNKNOWN
    return _attempt(function, args)


def method(base: Value, name: str, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """A method of a value that is known."""
    if isinstance(base, Tensor):
        return _tensor_method(base, name, args)
    if isinstance(base, Parser):
        return _parser_method(base, name, args, kwargs)
    if isinstance(base, dict) and not args and name in {"values", "keys", "items"}:
        return list(getattr(base, name)())
    if isinstance(base, dict) and name == "get" and args and isinstance(args[0], (str, int)):
        return base.get(args[0], args[1] if len(args) > 1 else None)
    if isinstance(base, int) and name == "bit_length":
        return base.bit_length()
    return UNKNOWN


def _tensor(name: str, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    if name in _LIKE:
        return args[0] if args and isinstance(args[0], Tensor) else UNKNOWN
    sizes: Value = UNKNOWN
    if "size" in kwargs:
        sizes = kwargs["size"]
    elif name in _BY_SIZES and args:
        sizes = args[0] if isinstance(args[0], (tuple, list)) else args
    elif name in _BY_SHAPE_ARGUMENT and args:
        sizes = next((argument for argument in args if isinstance(argument, (tuple, list))), UNKNOWN)
    elif name == "arange" and len(args) == 1:
        sizes = args
    return Tensor(tuple(sizes)) if isinstance(sizes, (tuple, list)) else UNKNOWN


def _tensor_method(base: Tensor, name: str, args: tuple[Value, ...]) -> Value:
    if name in _SAME_SHAPE:
        return base
    if name == "size":
        if not args:
            return base.shape
        if type(args[0]) is int and -len(base.shape) <= args[0] < len(base.shape):
            return base.shape[args[0]]
    if name == "t" and len(base.shape) == 2:
        return Tensor(base.shape[::-1])
    if name in {"view", "reshape"} and args and all(type(arg) is int and arg >= 0 for arg in args):
        return Tensor(args)
    return UNKNOWN


def _parser_method(base: Parser, name: str, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    if name in {"parse_args", "parse_known_args"}:
        options = Namespace(dict(base.defaults))
        return options if name == "parse_args" else (options, UNKNOWN)
    if name in {"add_argument_group", "add_mutually_exclusive_group"}:
        return base
    if name == "add_argument":
        flags = [flag for flag in args if isinstance(flag, str)]
        long = next((flag for flag in flags if flag.startswith("--")), flags[0] if flags else "")
        destination = kwargs.get("dest", long.lstrip("-").replace("-", "_"))
        switches = {"store_true": False, "store_false": True}
        optional = long.startswith("-")
        missing = switches.get(kwargs.get("action", ""), None if optional else UNKNOWN)
        if isinstance(destination, str):
            base.defaults[destination] = kwargs.get("default", missing)
    return UNKNOWN


def _ceildiv(left: int, right: int) -> int:
    return -(-left // right)


def _range(*bounds: int) -> range:
    return range(*bounds)


def _next_power_of_2(number: int) -> int:
    return 1 << max(number - 1, 0).bit_length()


def _product(*pools: list[Value]) -> list[Value]:
    return list(itertools.islice(itertools.product(*pools), _MOST))


_BUILTINS: dict[str, Callable[..., Value]] = {
    "abs": abs,
    "bool": bool,
    "dict": dict,
    "enumerate": lambda items: list(enumerate(items)),
    "float": float,
    "int": int,
    "len": len,
    "list": list,
    "max": max,
    "min": min,
    "range": _range,
    "reversed": lambda items: list(reversed(items)),
    "round": round,
    "sorted": sorted,
    "str": str,
    "sum": sum,
    "tuple": tuple,
    "zip": lambda *pools: list(zip(*pools, strict=False)),
}
_LIBRARY: dict[str, Callable[..., Value]] = {
    "itertools.product": _product,
    "math.ceil": math.ceil,
    "math.exp": math.exp,
    "math.floor": math.floor,
    "math.gcd": math.gcd,
    "math.log2": math.log2,
    "math.prod": math.prod,
    "math.sqrt": math.sqrt,
    "tilelang.math.next_power_of_2": _next_power_of_2,
    "tilelang.next_power_of_2": _next_power_of_2,
    "triton.next_power_of_2": _next_power_of_2,
}


def _attempt(function: Callable[..., Value], args: tuple[Value, ...]) -> Value:
    try:
        result = function(*args)
        if isinstance(result, (list, tuple, str, range)) and len(result) > _MOST:
            return UNKNOWN
    except (ArithmeticError, TypeError, ValueError, LookupError):
        return UNKNOWN
    return result
