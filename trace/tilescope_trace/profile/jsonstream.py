"""A long array in a JSON file, element by element, without holding the file.

A piece of the file is cut behind a ``}`` that a comma and ``{`` follow, and decoded as a list: only a cut between two
elements of the array gives valid JSON, since any other leaves a bracket or a string open. So msgspec decides where
elements end, at its own speed; an incremental parser (ijson on yajl) measured a quarter of it or less.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import IO, Any, Generic, TypeVar

import msgspec

from .errors import ProfileError
from .source import Source

T = TypeVar("T")

PIECE_BYTES = 2 * 1024 * 1024
_CUTS_TRIED = 8
"""Between two elements that hold lists of objects the last cuts may all be inside: then the rest is read whole."""

_NEAR_BYTES = 16 * 1024
"""Where the last cut is looked for first: the whole piece would cost as much as decoding it."""

_BETWEEN = re.compile(rb"\}\s*,\s*(?=\{)")


class ArrayStream(Generic[T]):
    """The elements of the array under ``key`` of the outermost object, or of the outermost array where the file is
    one. ``header`` are the keys before it (known at once), ``trailer`` those behind it (known after the iteration).

    Raises ProfileError for what is not JSON, not of this form, or cut off; elements that are not of the type ``T``
    likewise. ``piece_bytes`` are read at a time.
    """

    def __init__(
        self, source: Source, stream: IO[bytes], key: str, element: type[T], piece_bytes: int = PIECE_BYTES
    ) -> None:
        self._source, self._stream, self._piece = source, stream, piece_bytes
        self._elements = msgspec.json.Decoder(list[element])  # type: ignore[valid-type]
        self._key = key
        self.header: dict[str, Any] = {}
        self.trailer: dict[str, Any] = {}
        self._is_list = False
        self._rest, self._offset = self._skip_header()

    def __iter__(self) -> Iterator[T]:
        return chain.from_iterable(self.pieces())

    def pieces(self) -> Iterator[list[T]]:
        """The same elements, those of one piece of the file at a time."""
        rest = self._rest
        while piece := self._stream.read(self._piece):
            rest = rest + piece
            cut = self._last_cut(rest)
            if cut is None:
                rest += self._stream.read()
                break
            end, elements = cut
            yield elements
            rest = rest[end:]
            self._offset += end
        yield self._last(rest)

    def _last_cut(self, data: bytes) -> tuple[int, list[T]] | None:
        """The end of the elements before the last place between two (the comma included) and those elements."""
        for near in (_NEAR_BYTES, len(data)):
            cuts = [(found.start() + 1, found.end()) for found in _BETWEEN.finditer(data, max(len(data) - near, 0))]
            if cuts:
                break
        for end, following in reversed(cuts[-_CUTS_TRIED:]):
            elements = self._decoded(data[:end])
            if elements is not None:
                return following, elements
        return None

    def _decoded(self, data: bytes) -> list[T] | None:
        try:
            return self._elements.decode(b"[" + data + b"]")
        except msgspec.ValidationError as error:
            raise self._wrong(str(error)) from error
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return None

    def _last(self, rest: bytes) -> list[T]:
        if not rest.strip():
            raise self._damaged("the file ends within the array")
        try:
            if self._is_list:
                return self._elements.decode(b"[" + rest)
            document = msgspec.json.decode(b'{"":[' + rest, type=dict[str, msgspec.Raw])
            elements = self._elements.decode(document.pop(""))
            self.trailer = {key: msgspec.json.decode(value) for key, value in document.items()}
        except msgspec.ValidationError as error:
            raise self._wrong(str(error)) from error
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise self._damaged(str(error)) from error
        return elements

    def _skip_header(self) -> tuple[bytes, int]:
        data = self._stream.read(PIECE_BYTES)
        start = len(data) - len(data.lstrip(b" \t\r\n"))
        if data[start : start + 1] == b"[":
            self._is_list = True
            return data[start + 1 :], start + 1
        for found in re.finditer(rb'"' + re.escape(self._key.encode()) + rb'"\s*:\s*\[', data):
            try:
                header = msgspec.json.decode(data[start : found.end()] + b"]}", type=dict[str, Any])
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                continue
            header.pop(self._key, None)
            self.header = header
            return data[found.end() :], found.end()
        raise ProfileError(
            self._source.path, f'there is no "{self._key}" in the first object', f'JSON with an array "{self._key}"'
        )

    def _damaged(self, why: str) -> ProfileError:
        return ProfileError(
            self._source.path,
            why.rstrip("."),
            f'an array "{self._key}" that is closed',
            f"behind byte {self._offset}",
        )

    def _wrong(self, why: str) -> ProfileError:
        return ProfileError(
            self._source.path, why.rstrip("."), "an event of the format", f"behind byte {self._offset}"
        )
