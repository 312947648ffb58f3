"""Values that a kernel's parameter may have, most likely first, by its annotation, its name and what is done with it.

Names are those that TileLang's examples and published libraries use; sizes are common ones that tiles divide.
"""

from __future__ import annotations

import ast
import dataclasses
import enum
import inspect
import re
import sys
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Node = ast.FunctionDef | ast.AsyncFunctionDef
_DTYPES = ("float16", "bfloat16", "float32", "float8_e4m3fn", "int8", "int32", "uint8")
_SIZED = frozenset({"Kernel", "ceildiv", "Pipelined", "Parallel", "alloc_shared", "alloc_fragment", "alloc_local"})
_WIDE = ("float32", "float16", "int32")
_INTEGERS = (128, 64, 1024, 32, 16, 8, 4, 2, 1, 256, 512, 2048, 4096, 768, 192, 96, 3)
_BY_NAME: tuple[tuple[str, tuple[int, ...]], ...] = (
    (r"(num_?|n_?)?(threads?|thr|thread_num)(_num|s)?(_per_block)?", (128, 256, 64, 512, 32)),
    (r"(num_?|n_?)?(persistent_)?stages?(_num)?|num_stage", (2, 1, 3, 0)),
    (r"(num_|n_)?(sms?|persistent_blocks|sm_count)", (132, 128, 1)),
    (r"b(lo)?c?k_?[mn].*|b[mn]|.*block_[mn]|tile_[mn]", (128, 64, 32, 16, 256)),
    (r"b(lo)?c?k_?k.*|bk|.*block_k|tile_k", (32, 64, 128, 16)),
    (r".*block.*|blk.*|.*_blk|.*tile.*|chunk.*|.*_chunk|b[tskvc]|b[dk]_?[kv]?", (64, 128, 32, 16, 8, 1)),
    (r"batch(_?size)?|b|bs|num_batch", (4, 1, 2, 8)),
    (r"(num_|n_?)?(kv_?heads?|heads?_kv|groups?|kv_group|head_kv)(_num)?", (8, 4, 1, 2, 16)),
    (r"(num_|n_?)?(q_?)?heads?(_num|_q)?|h|nheads?|hq", (32, 16, 8, 64, 128, 4, 1)),
    (r".*seq.*len.*|s|t|l|n_ctx|seq_(q|kv)|.*tokens?|.*total.*|max_.*", (1024, 2048, 512, 256, 128, 4096)),
    (r".*(tail|rope|pe)_?dim.*", (64, 32, 128)),
    (r"d|dk|dv|dim.*|.*_dim(_.*)?|headdim|.*head_?size", (128, 64, 256, 32, 512, 576)),
    (r".*hidden.*|d?expert|.*inter(mediate)?.*|channels?|c", (4096, 2048, 1024, 7168, 512, 256, 128)),
    (r"m|n|k|m_.*|.*_m|.*_n|.*_k", (1024, 2048, 4096, 512, 256, 128)),
    (r".*top_?k.*|.*selected.*", (8, 4, 2, 16, 64, 1, 2048)),
    (r".*expert.*|e", (64, 8, 256, 16)),
    (r".*group_?size.*|gs|.*alignment.*|.*align", (128, 64, 32)),
    (r".*split.*", (4, 2, 8, 1)),
    (r".*bits?", (4, 8, 2)),
    (r".*mult.*|.*repeat.*|n_stream|.*order.*|.*layers?|.*iters?|.*num_post.*", (4, 2, 1, 8, 16)),
    (r".*stride.*", (1024, 4096, 1, 128)),
    (r"kernel.*|k[hw]|f|r|s", (3, 1, 64)),
    (r"dilation|padding|p|w|width", (1, 4, 64)),
)
_FLOATS = re.compile(r".*(eps|scale|value|alpha|beta|gamma|limit|ratio|factor|threshold|clamp|sparsity|prob|rate).*")
_FLAGS = re.compile(
    r"(is|has|use|with|enable|disable|do|need|return|store|apply|trans|skip|output)_.*|.*causal.*|.*_only"
)
_SIZE = re.compile(r"block|tile|dim|len|size|stage|num")
_TYPES = re.compile(r".*d_?type.*|.*_type|.*precision|(fp|bf)\d+")


class Facts:
    """What a function does with its parameters, read from its source."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.compared: dict[str, list[Any]] = {}
        self.iterated: set[str] = set()
        self.tested: set[str] = set()
        self.calculated: set[str] = set()
        self.called: set[str] = set()
        self.dtypes: set[str] = set()
        self.sized: set[str] = set()
        self.optional: set[str] = set()
        """What may be None at first: it is compared with None, tested or bound again."""
        for root in nodes:
            for node in ast.walk(root):
                self._note(node)

    def _note(self, node: ast.AST) -> None:
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Is, ast.IsNot)):
            self._name(node.left, self.optional)
        elif isinstance(node, ast.Compare) and _is_none(node.left):
            # if None in (block_M, block_N): ...
            for right in node.comparators:
                for one in getattr(right, "elts", [right]):
                    self._name(one, self.optional)
        elif isinstance(node, ast.Compare) and isinstance(node.left, ast.Name):
            for right in node.comparators:
                values = right.elts if isinstance(right, (ast.Tuple, ast.List, ast.Set)) else [right]
                known = [one.value for one in values if isinstance(one, ast.Constant)]
                self.compared.setdefault(node.left.id, []).extend(known)
        elif isinstance(node, (ast.For, ast.comprehension)):
            self._name(node.iter, self.iterated)
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            self._name(node.value, self.iterated)
            if isinstance(node.value, ast.Dict) and isinstance(node.slice, ast.Name):
                keys = [key.value for key in node.value.keys if isinstance(key, ast.Constant)]
                self.compared.setdefault(node.slice.id, []).extend(keys)
        elif isinstance(node, (ast.If, ast.IfExp, ast.While)):
            self._name(node.test, self.tested)
            self._name(node.test, self.optional)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self._name(node.operand, self.tested)
            self._name(node.operand, self.optional)
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)):
            # What is bound again does not stay None: block_K = chosen(block_K), or where it is one of several names.
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                for one in ast.walk(target):
                    if isinstance(getattr(one, "ctx", None), ast.Store):
                        self._name(one, self.optional)
        elif isinstance(node, ast.BoolOp):
            for value in node.values:
                self._name(value, self.tested)
                self._name(value, self.optional)
        elif isinstance(node, ast.BinOp):
            for operand in (node.left, node.right):
                self._name(operand, self.calculated)
        elif isinstance(node, ast.Call):
            self._call(node)

    def _call(self, node: ast.Call) -> None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        self._name(node.func, self.called)
        if name in ("len", "sum", "tuple", "list", "enumerate", "zip"):
            for argument in node.args:
                self._name(argument, self.iterated)
        if name in ("Tensor", "StridedTensor", "alloc_shared", "alloc_fragment", "alloc_local", "Buffer", "empty"):
            for argument in node.args[1:]:
                self._name(argument, self.dtypes)
        if name in _SIZED:
            for argument in [*node.args, *(keyword.value for keyword in node.keywords)]:
                for part in argument.elts if isinstance(argument, (ast.Tuple, ast.List)) else [argument]:
                    self._name(part, self.sized)
        if name in ("cast", "Cast", "dtype", "infinity", "max_value", "min_value", "DataType"):
            for argument in node.args:
                self._name(argument, self.dtypes)

    def _name(self, node: ast.AST, found: set[str]) -> None:
        if isinstance(node, ast.Name):
            found.add(node.id)


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def candidates(name: str, annotation: Any, facts: Facts, sms: int | None = None) -> tuple[Any, ...]:
    """Values to try for one parameter. ``annotation`` is an object or its text, ``inspect.Parameter.empty`` where
    there is none; ``sms`` the number of SMs of the target's device."""
    return tuple(_distinct(_ordered(name, annotation, facts, sms)))


def _ordered(name: str, annotation: Any, facts: Facts, sms: int | None) -> Iterable[Any]:
    compared = [value for value in facts.compared.get(name, ()) if value is not None]
    texts = [value for value in compared if isinstance(value, str)]
    annotated = list(_annotated(name, annotation, facts, sms))
    if annotated:
        same = [value for value in compared if any(type(value) is type(one) for one in annotated)]
        yield from same if same and isinstance(same[0], str) else ()
        yield from annotated
        yield from same
        return
    lower = name.lower()
    if lower in facts.dtypes or name in facts.dtypes or _TYPES.fullmatch(lower):
        yield from _dtypes(lower, objects=False)
        return
    yield from texts
    if name in facts.iterated and name not in facts.calculated:
        yield from ((64, 64), (1, 1), (128,), (64, 64, 64), (2, 2, 2, 2))
    if name in facts.called and name not in facts.calculated:
        yield _identity
    if (_FLAGS.fullmatch(lower) and not _SIZE.search(lower)) or (
        name in facts.tested and name not in facts.calculated and not compared
    ):
        yield from (False, True)
        return
    if _FLOATS.fullmatch(lower) and not lower.endswith("size"):
        yield from _floats(lower)
    yield from _integers(lower, sms)
    yield from (value for value in compared if isinstance(value, int))
    # What the name says may be wrong. Never None: as a size, it takes the compiler down with it.
    if name not in facts.calculated:
        yield from ("float16", (64, 64))


def _annotated(name: str, annotation: Any, facts: Facts, sms: int | None) -> Iterable[Any]:
    if annotation is inspect.Parameter.empty or annotation is Any:
        return
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
    lower = name.lower()
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Union or origin is types.UnionType:
        for one in sorted(inner, key=lambda one: one is type(None)):
            yield from [None] if one is type(None) else _annotated(name, one, facts, sms)
    elif origin is typing.Literal:
        yield from inner
    elif origin in (tuple, list):
        yield from _sequences(origin, inner)
    elif annotation is bool or text == "bool":
        yield from (False, True)
    elif annotation is int or text == "int":
        yield from _integers(lower, sms)
    elif annotation is float or text == "float":
        yield from _floats(lower)
    elif text.endswith("dtype") or text in ("DType", "DataType", "dtypes"):
        yield from _dtypes(lower, objects=True)
    elif (annotation is str or text == "str") and (_TYPES.fullmatch(lower) or name in facts.dtypes):
        yield from _dtypes(lower, objects=False)
    elif annotation is str or text == "str":
        yield from (*(value for value in facts.compared.get(name, ()) if isinstance(value, str)), "float16", "")
    elif annotation in (tuple, list):
        yield from ((64, 64), (1, 1), (128,))
    elif inspect.isclass(annotation) and issubclass(annotation, enum.Enum):
        yield from annotation
    elif inspect.isclass(annotation):
        yield from _instances(annotation, facts, sms)
    elif "Callable" in str(annotation):
        yield _identity


def _instances(kind: type, facts: Facts, sms: int | None) -> Iterable[Any]:
    """Instances of a class whose constructor takes values that can be had: of each field the first candidate, and of
    each flag the other one."""
    given: dict[str, Any] = {}
    flags: dict[str, bool] = {}
    try:
        parameters = inspect.signature(kind).parameters
        hints = _hints(kind)
        for name, parameter in parameters.items():
            if isinstance(parameter.default, bool):
                flags[name] = parameter.default
            if parameter.default is parameter.empty and parameter.kind not in (2, 4):
                values = candidates(name, hints.get(name, parameter.annotation), facts, sms)
                given[name] = values[0] if values else None
        yield kind(**given)
        for name, value in flags.items():
            yield kind(**{**given, name: not value})
    except Exception:  # noqa: BLE001 - a constructor of the user's: there is no candidate then
        return


def _hints(kind: type) -> Mapping[str, Any]:
    try:
        return typing.get_type_hints(kind if dataclasses.is_dataclass(kind) else vars(kind).get("__init__", kind))
    except Exception:  # noqa: BLE001 - annotations may name what is not there
        return {}


def _dtypes(name: str, *, objects: bool) -> Iterable[Any]:
    wide = any(part in name for part in ("acc", "compute", "reduce", "scale", "sf"))
    names = (*_WIDE, *_DTYPES) if wide else ("int32", *_DTYPES) if "ind" in name or "idx" in name else _DTYPES
    torch: Any = sys.modules.get("torch")
    language: Any = sys.modules.get("tilelang.language")
    as_objects = [value for owner in (language, torch) for one in names if (value := getattr(owner, one, None))]
    yield from (*as_objects, *names) if objects else (*names, *as_objects)


def _integers(name: str, sms: int | None) -> Iterable[int]:
    for pattern, values in _BY_NAME:
        if re.fullmatch(pattern, name):
            if sms is not None and values[0] == 132:
                yield sms
            yield from values
            break
    yield from _INTEGERS


def _floats(name: str) -> Iterable[float]:
    yield from (1e-5, 1.0) if "eps" in name else (1.0, 0.5, 0.1)


def _sequences(kind: type, inner: Sequence[Any]) -> Iterable[Any]:
    if kind is tuple and inner and inner[-1] is not Ellipsis:
        yield tuple({int: 64, str: "float16", bool: False, float: 1.0}.get(one) for one in inner)
        yield tuple({int: 1, str: "float16", bool: False, float: 1.0}.get(one) for one in inner)
        return
    element = {str: "float16", float: 1.0}.get(inner[0], 64) if inner else 64
    yield from (kind([element] * count) for count in (2, 1, 3, 4))


def _identity(value: Any = None, *_: Any) -> Any:
    """Stands for a function that is not known."""
    return value


def _distinct(values: Iterable[Any]) -> Iterable[Any]:
    seen: list[Any] = []
    for value in values:
        if not any(type(value) is type(other) and (value is other or _equal(value, other)) for other in seen):
            seen.append(value)
            yield value


def _equal(one: Any, other: Any) -> bool:
    try:
        return bool(one == other)
    except Exception:  # noqa: BLE001 - what a user's class says of equality
        return False
