"""Functions of Python, math, torch and TileLang whose results are known when their arguments are."""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Callable

from . import einops_known, tensors_known
from .dtypes import dtype_name
from .names import language_member, split_names
from .parsers_known import parser_method
from .values import UNKNOWN, Namespace, Parser, Reference, Tensor, Value, is_plain

_LANGUAGE = frozenset({"ceildiv", "min", "max"})
"""Functions of the tile language that compute on numbers."""

MATH = {"pi": math.pi, "e": math.e, "inf": math.inf}
_MOST = 4096
"""Elements a container may have before it is not worth knowing."""

_PASS_CONFIG = re.compile(r"tilelang\b.*\bPassConfigKey\.(\w+)(?:\.value)?")

_REFERRED = ("tilelang", "torch", "tvm", "math", "operator")
"""Modules whose things may be passed to a factory by name."""
_SYMBOLS = frozenset({"dynamic", "symbolic"})


@functools.cache
def may_be_known(dotted: str) -> bool:
    """False for what only builds a kernel (``T.copy``, ``T.alloc_shared``)."""
    member = language_member(dotted)
    return member is None or member in _LANGUAGE or member in ("const", "dtype", "empty")


def imported(dotted: str) -> Value:
    """The value of an imported name: data types and pass configs are their names, other things of known modules stand
    for themselves, the rest is not known."""
    head, _, last = dotted.rpartition(".")
    if head == "torch" or language_member(dotted) is not None or head == "tilelang.language.dtypes":
        if (dtype := dtype_name(last)) is not None:
            return dtype
    elif (config := _PASS_CONFIG.fullmatch(dotted)) is not None:
        return config[1]
    elif head == "math" and last in MATH:
        return MATH[last]
    return Reference(dotted) if head and dotted.partition(".")[0] in _REFERRED else UNKNOWN


def builtin(name: str, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """A builtin called by its bare name."""
    if name == "dict" and not args:
        return dict(kwargs)
    function = _BUILTINS.get(name)
    if function is None or (kwargs and not kwargs.keys() <= {"strict", "key", "default", "start"}):
        return UNKNOWN
    plain = all(is_plain(argument) or isinstance(argument, range) for argument in args)
    if not plain and not (
        name in _ARRANGING and all(isinstance(argument, (list, tuple, dict, range)) for argument in args)
    ):
        return UNKNOWN
    if kwargs.keys() - {"strict"}:
        return UNKNOWN
    return _attempt(function, args)


def library(dotted: str, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """A function of an imported module, by its dotted name."""
    head, _, last = dotted.rpartition(".")
    if head == "torch" or head.startswith("torch."):
        return tensors_known.torch_function(dotted, args, kwargs)
    if head == "einops":
        return einops_known.einops_function(last, args, kwargs)
    member = language_member(dotted)
    if dotted in _CEILDIV or member == "ceildiv":
        return _attempt(_ceildiv, args) if len(args) == 2 and all(type(arg) is int for arg in args) else UNKNOWN
    if member == "empty" and args:
        return tensors_known.torch_function(
            "torch.empty", args[:1], {"dtype": kwargs.get("dtype", args[1] if len(args) > 1 else UNKNOWN)}
        )
    if member == "dtype" and args and isinstance(args[0], str):
        return dtype_name(args[0].rpartition(".")[2]) or UNKNOWN
    if member in _SYMBOLS:
        return _symbols(last, args)
    if dotted in ("os.environ.get", "os.getenv"):
        return args[1] if len(args) > 1 else None
    if dotted == "types.SimpleNamespace":
        return Namespace(dict(kwargs))
    if dotted in ("dataclasses.field", "pydantic.Field", "typer.Option", "typer.Argument", "pytest.param"):
        return _declared(last, args, kwargs)
    function = _LIBRARY.get(dotted)
    if function is None and member in {"min", "max"}:
        function = min if last == "min" else max
    if dotted == "itertools.product" and type(kwargs.get("repeat")) is int and kwargs["repeat"] <= 8:
        args, kwargs = args * kwargs["repeat"], {}
    plain = all(is_plain(argument) for argument in args)
    if function is None or kwargs or not (plain or last in _ANYTHING):
        return UNKNOWN
    return _attempt(function, args)


def _symbols(name: str, args: tuple[Value, ...]) -> Value:
    """``T.dynamic("m")``; several names give as many symbols."""
    if not args or not isinstance(args[0], str) or not is_plain(args):
        return UNKNOWN
    made = tuple(
        Reference(f"tilelang.language.{name}({', '.join(map(repr, (each, *args[1:])))})")
        for each in split_names(args[0])
    )
    return made[0] if len(made) == 1 else made


def _declared(name: str, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """The default that a declaration of a field or an option holds, the values of a ``pytest.param``."""
    if name == "param":
        return args[0] if len(args) == 1 else args
    return kwargs.get("default", args[0] if args else UNKNOWN)


def method(base: Value, name: str, args: tuple[Value, ...], kwargs: dict[str, Value]) -> Value:
    """A method of a value that is known."""
    if isinstance(base, Tensor):
        return tensors_known.tensor_method(base, name, args, kwargs)
    if isinstance(base, Parser):
        return parser_method(base, name, args, kwargs)
    if isinstance(base, dict) and not args and name in {"values", "keys", "items"}:
        return list(getattr(base, name)())
    if isinstance(base, (dict, list)) and name == "copy" and not args:
        return base.copy()
    if isinstance(base, dict) and name == "get" and args and isinstance(args[0], (str, int)):
        return base.get(args[0], args[1] if len(args) > 1 else None)
    if isinstance(base, int) and name == "bit_length":
        return base.bit_length()
    if isinstance(base, str) and name == "as_torch" and not args:
        return base
    if isinstance(base, str) and name in _TEXT_METHODS and not kwargs and is_plain(args):
        return _attempt(getattr(base, name), args)
    return UNKNOWN


def _ceildiv(left: int, right: int) -> int:
    return -(-left // right)


def _range(*bounds: int) -> range:
    return range(*bounds)


def _next_power_of_2(number: int) -> int:
    return 1 << max(number - 1, 0).bit_length()


def _product(*pools: list[Value]) -> list[Value]:
    return list(itertools.islice(itertools.product(*pools), _MOST))


_ARRANGING = frozenset({"dict", "enumerate", "len", "list", "reversed", "tuple", "zip"})
"""Builtins that look at no element."""
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
    "pow": lambda base, power: base**power if abs(base) <= 1 << 32 and abs(power) <= 64 else UNKNOWN,
    "round": lambda number, *digits: round(number, *digits) if all(abs(n) <= 64 for n in digits) else UNKNOWN,
    "sorted": sorted,
    "str": str,
    "sum": sum,
    "tuple": tuple,
    "zip": lambda *pools: list(zip(*pools, strict=False)),
}
_CEILDIV = frozenset({"tilelang.cdiv", "triton.cdiv"})
_ANYTHING = frozenset({"product", "chain", "zip_longest"})
"""Functions that only arrange what they are given."""
_TEXT_METHODS = frozenset(
    {"lower", "upper", "split", "startswith", "endswith", "strip", "lstrip", "rstrip", "removeprefix", "rpartition"}
    | {"partition", "count", "isdigit"}
)
_LIBRARY: dict[str, Callable[..., Value]] = {
    "copy.copy": lambda value: value,
    "copy.deepcopy": lambda value: value,
    "itertools.chain": lambda *pools: [item for pool in pools for item in pool],
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
