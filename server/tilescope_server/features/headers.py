"""Header lines of messages as pygls reads them.

The protocol takes the names of header fields from HTTP, where case says nothing and blanks around a value neither;
pygls knows one spelling, and a message under another one would be lost together with the next."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygls.io_ import AsyncReader

_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*(\d+)[ \t]*\r?\n", re.IGNORECASE)


class HeaderReader:
    """Reads from ``reader``, header lines in the one spelling."""

    def __init__(self, reader: AsyncReader) -> None:
        self._reader = reader

    async def readline(self) -> bytes:
        return spelled(await self._reader.readline())

    async def readexactly(self, n: int) -> bytes:
        return await self._reader.readexactly(n)


def spelled(line: bytes) -> bytes:
    """A header line; the length of the body as ``Content-Length: N``, other lines as they are. Pure."""
    found = _LENGTH.fullmatch(line)
    return b"Content-Length: %s\r\n" % found[1] if found is not None else line
