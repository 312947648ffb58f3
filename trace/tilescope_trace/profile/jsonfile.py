"""JSON files that are read whole, because they are small or one deep value."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from .errors import ProfileError
from .source import Source

T = TypeVar("T")


def read_json(source: Source, shape: type[T], expected: str) -> T:
    """The file as a value of ``shape``; ``expected`` says what it should be, for the message of a ProfileError."""
    with source.open() as stream:
        content = stream.read()
    if not content.strip():
        raise ProfileError(source.path, "the file is empty", expected)
    try:
        return msgspec.json.decode(content, type=shape, strict=False)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ProfileError(source.path, str(error).rstrip("."), expected) from error
