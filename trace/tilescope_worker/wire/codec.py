"""Messages to and from length-prefixed JSON frames, validated against the dataclasses' own type hints.

The worker may use the standard library only, and both sides must agree: hence one small codec instead of a library.
"""

from __future__ import annotations

import dataclasses
import json
import struct
import types
import typing
from collections.abc import Callable
from functools import cache
from typing import Any, Literal, TypeVar, Union

from . import messages

HEADER = struct.Struct(">I")
FRAME_LIMIT = 1 << 28
"""Largest frame accepted, in bytes: far above the IR text of any real pass, far below what would hurt."""

# A child executes the user's code, which may replace what the modules of the standard library hold.
_dumps, _loads = json.dumps, json.loads

T = TypeVar("T")
_TYPES: dict[str, type] = {kind.__name__: kind for kind in typing.get_args(messages.Message)}


class WireError(ValueError):
    """A frame that is not a valid message; the text says where and what was expected."""


def encode(message: messages.Message) -> bytes:
    """One frame: 4-byte big-endian length and a JSON object tagged with ``type``."""
    body = _dumps(
        {"type": type(message).__name__, **_plain(message)}, ensure_ascii=True, separators=(",", ":")
    ).encode("ascii")
    return HEADER.pack(len(body)) + body


def decode(body: bytes) -> messages.Message:
    """The message of a frame's body; raises WireError when it is not one."""
    try:
        value = _loads(body)
    except (ValueError, RecursionError) as error:
        raise WireError(f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise WireError(f"expected an object, got {type(value).__name__}")
    kind = _TYPES.get(str(value.pop("type", None)))
    if kind is None:
        raise WireError("unknown message type")
    message: messages.Message = build(kind, value)
    return message


def build(kind: type[T], value: object) -> T:
    """``value`` (plain JSON) as an instance of the dataclass ``kind``; raises WireError naming the place."""
    try:
        return typing.cast(T, _converter(typing.cast(Any, kind))(value))
    except _Unlike as unlike:
        raise WireError(f"{kind.__name__}{''.join(reversed(unlike.place))}: {unlike.said}") from None


def _plain(value: Any) -> dict[str, Any]:
    return {name: _jsonable(getattr(value, name)) for name in _names(typing.cast(Any, type(value)))}


def _jsonable(value: Any) -> Any:
    if isinstance(value, _SCALARS):
        return value
    if isinstance(value, (list, tuple)):
        return [_jsonable(item) for item in value]
    if isinstance(value, dict):
        return {key: _jsonable(item) for key, item in value.items()}
    return _plain(value) if dataclasses.is_dataclass(value) else value


_SCALARS = (str, int, float, types.NoneType)
_WHOLE = 1 << 53
"""Integers below are floats without loss (IEEE 754, binary64)."""


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(kind))


class _Unlike(Exception):  # noqa: N818 - told as a WireError, once the place is known
    """A value that is not what a hint asks for; ``place`` grows from the innermost piece outwards."""

    def __init__(self, said: str) -> None:
        super().__init__(said)
        self.said = said
        self.place: list[str] = []


Converter = Callable[[Any], Any]


@cache
def _converter(hint: Any) -> Converter:
    """What makes a value of a type hint of plain JSON, or raises _Unlike. Made once for each hint: a file of many
    kernels has its facts decoded while somebody types."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if hint is Any:
        return lambda value: value
    if origin in (Union, types.UnionType):
        return _of_union(arguments)
    if origin is Literal:
        return _of_literal(arguments)
    if origin is tuple:
        return _of_array(arguments[0]) if len(arguments) == 2 and arguments[1] is Ellipsis else _of_tuple(arguments)
    if origin is dict:
        return _of_object(arguments[1])
    if dataclasses.is_dataclass(hint):
        return _of_dataclass(typing.cast(type, hint))
    return _of_scalar(hint)


def _of_scalar(kind: type) -> Converter:
    def convert(value: Any) -> Any:
        if type(value) is kind:
            return value
        if kind is float and type(value) is int and abs(value) < _WHOLE:
            return float(value)
        raise _Unlike(f"expected {getattr(kind, '__name__', kind)}, got {type(value).__name__}")

    return convert


def _of_literal(known: tuple[Any, ...]) -> Converter:
    def convert(value: Any) -> Any:
        if value in known:
            return value
        raise _Unlike(f"expected one of {', '.join(map(str, known))}, got {value!r}")

    return convert


def _of_union(options: tuple[Any, ...]) -> Converter:
    rest = tuple(option for option in options if option is not types.NoneType)
    only = _converter(rest[0]) if len(rest) == 1 else None
    may_be_none = len(rest) < len(options)

    def convert(value: Any) -> Any:
        if value is None and may_be_none:
            return None
        if only is not None:
            return only(value)
        if type(value) in rest:
            return value
        names = " or ".join(getattr(option, "__name__", str(option)) for option in options)
        raise _Unlike(f"expected {names}, got {type(value).__name__}")

    return convert


def _of_array(item: Any) -> Converter:
    of_item = _converter(item)

    def convert(value: Any) -> Any:
        made: list[Any] = []
        try:
            for one in _array(value):
                made.append(of_item(one))  # noqa: PERF401 - how many there are says which one it was
        except _Unlike as unlike:
            unlike.place.append(f"[{len(made)}]")
            raise
        return tuple(made)

    return convert


def _of_tuple(items: tuple[Any, ...]) -> Converter:
    of_items = tuple(map(_converter, items))

    def convert(value: Any) -> Any:
        found = _array(value)
        if len(found) != len(of_items):
            raise _Unlike(f"expected {len(of_items)} items, got {len(found)}")
        return tuple(_placed(f"[{at}]", of_items[at], one) for at, one in enumerate(found))

    return convert


def _of_object(item: Any) -> Converter:
    of_item = _converter(item)

    def convert(value: Any) -> Any:
        return {key: _placed(f".{key}", of_item, one) for key, one in _object(value).items()}

    return convert


def _of_dataclass(kind: type) -> Converter:
    hints = typing.get_type_hints(kind)
    by_name = {name: _converter(hint) for name, hint in hints.items()}
    required = [f.name for f in dataclasses.fields(kind) if f.default is f.default_factory is dataclasses.MISSING]

    def convert(value: Any) -> Any:
        found = _object(value)
        unknown = found.keys() - by_name.keys()
        if unknown:
            raise _Unlike(f"unknown key {sorted(unknown)[0]!r}")
        converted = {}
        name = ""
        try:
            for name, one in found.items():
                converted[name] = by_name[name](one)
        except _Unlike as unlike:
            unlike.place.append(f".{name}")
            raise
        missing = [name for name in required if name not in converted]
        if missing:
            raise _Unlike(f"missing key {missing[0]!r}")
        return kind(**converted)

    return convert


def _placed(place: str, convert: Converter, value: Any) -> Any:
    try:
        return convert(value)
    except _Unlike as unlike:
        unlike.place.append(place)
        raise


def _array(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return value
    raise _Unlike(f"expected an array, got {type(value).__name__}")


def _object(value: Any) -> Any:
    if isinstance(value, dict):
        return value
    raise _Unlike(f"expected an object, got {type(value).__name__}")
