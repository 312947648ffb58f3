"""Messages to and from length-prefixed JSON frames, validated against the dataclasses' own type hints.

The worker may use the standard library only, and both sides must agree: hence one small codec instead of a library.
"""

from __future__ import annotations

import dataclasses
import json
import struct
import types
import typing
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
    return typing.cast(T, _convert(value, kind, kind.__name__))


def _plain(value: Any) -> dict[str, Any]:
    return {field.name: _jsonable(getattr(value, field.name)) for field in dataclasses.fields(value)}


def _jsonable(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        return _plain(value)
    if isinstance(value, (list, tuple)):
        return [_jsonable(item) for item in value]
    if isinstance(value, dict):
        return {key: _jsonable(item) for key, item in value.items()}
    return value


@cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _convert(value: Any, hint: Any, where: str) -> Any:
    if hint is Any:
        return value
    origin = typing.get_origin(hint)
    if origin in (Union, types.UnionType):
        return _convert_union(value, typing.get_args(hint), where)
    if origin is Literal:
        if value in typing.get_args(hint):
            return value
        raise WireError(f"{where}: expected one of {', '.join(map(str, typing.get_args(hint)))}, got {value!r}")
    if origin is tuple:
        return _convert_tuple(value, typing.get_args(hint), where)
    if origin is dict:
        if not isinstance(value, dict):
            raise WireError(f"{where}: expected an object, got {type(value).__name__}")
        return {key: _convert(item, typing.get_args(hint)[1], f"{where}.{key}") for key, item in value.items()}
    if dataclasses.is_dataclass(hint):
        return _convert_dataclass(value, typing.cast(type, hint), where)
    if hint is float and type(value) is int:
        return float(value)
    if type(value) is hint or (hint is type(None) and value is None):
        return value
    raise WireError(f"{where}: expected {getattr(hint, '__name__', hint)}, got {type(value).__name__}")


def _convert_union(value: Any, options: tuple[Any, ...], where: str) -> Any:
    if value is None and type(None) in options:
        return None
    rest = [option for option in options if option is not type(None)]
    if len(rest) == 1:
        return _convert(value, rest[0], where)
    if type(value) in rest:
        return value
    names = " or ".join(getattr(option, "__name__", str(option)) for option in options)
    raise WireError(f"{where}: expected {names}, got {type(value).__name__}")


def _convert_tuple(value: Any, items: tuple[Any, ...], where: str) -> tuple[Any, ...]:
    if not isinstance(value, (list, tuple)):
        raise WireError(f"{where}: expected an array, got {type(value).__name__}")
    if len(items) == 2 and items[1] is Ellipsis:
        return tuple(_convert(item, items[0], f"{where}[{i}]") for i, item in enumerate(value))
    if len(value) != len(items):
        raise WireError(f"{where}: expected {len(items)} items, got {len(value)}")
    return tuple(
        _convert(item, kind, f"{where}[{i}]") for i, (item, kind) in enumerate(zip(value, items, strict=True))
    )


def _convert_dataclass(value: Any, kind: type, where: str) -> Any:
    if not isinstance(value, dict):
        raise WireError(f"{where}: expected an object, got {type(value).__name__}")
    hints = _hints(kind)
    unknown = value.keys() - hints.keys()
    if unknown:
        raise WireError(f"{where}: unknown key {sorted(unknown)[0]!r}")
    converted = {name: _convert(item, hints[name], f"{where}.{name}") for name, item in value.items()}
    try:
        return kind(**converted)
    except TypeError:
        required = [f.name for f in dataclasses.fields(kind) if f.default is f.default_factory is dataclasses.MISSING]
        missing = [name for name in required if name not in converted]
        raise WireError(f"{where}: missing key {missing[0]!r}") from None
