"""Header lines of messages as pygls reads them, and when.

The protocol takes the names of header fields from HTTP, where case says nothing and blanks around a value neither;
pygls knows one spelling, and a message under another one would be lost together with the next."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygls.io_ import AsyncReader

_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*(\d+)[ \t]*\r?\n", re.IGNORECASE)

_SPELLED = b"Content-Length: "
TURNS = 2
"""As many as it takes from an edit to the compiler: one to plan the work, one to send it."""


class HeaderReader:
    """Reads from ``reader``, header lines in the one spelling.

    Editors send several messages at once. What one of them has led to, such as a text on its way to the compiler, has
    its turns of the loop before the next is read: it shall not wait for the answers to all of them."""

    def __init__(self, reader: AsyncReader) -> None:
        self._reader = reader

    async def readline(self) -> bytes:
        line = spelled(await self._reader.readline())
        if line.startswith(_SPELLED):
            for _ in range(TURNS):
                await asyncio.sleep(0)
        return line

    async def readexactly(self, n: int) -> bytes:
        return await self._reader.readexactly(n)


def spelled(line: bytes) -> bytes:
    """A header line; the length of the body as ``Content-Length: N``, other lines as they are. Pure."""
    found = _LENGTH.fullmatch(line)
    return _SPELLED + found[1] + b"\r\n" if found is not None else line
