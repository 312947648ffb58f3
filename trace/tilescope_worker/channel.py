"""Blocking, framed messages over a pair of file descriptors: the worker's end of every pipe."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import cast

from .wire.codec import FRAME_LIMIT, HEADER, WireError, decode, encode
from .wire.messages import Message


@dataclass(frozen=True)
class Channel:
    """``source`` and ``sink`` are file descriptors; for a socket they are the same one."""

    source: int
    sink: int

    def send(self, message: Message) -> None:
        """Write the whole frame; raises OSError (BrokenPipeError) when the host is gone."""
        rest = memoryview(encode(message))
        while rest:
            rest = rest[os.write(self.sink, rest) :]

    def receive(self) -> Message | None:
        """The next message, None at the end of the stream; raises WireError for what is no message."""
        header = self._read(HEADER.size)
        if header is None:
            return None
        size = cast("int", HEADER.unpack(header)[0])
        if size > FRAME_LIMIT:
            raise WireError(f"frame of {size} bytes, at most {FRAME_LIMIT} are accepted")
        body = self._read(size)
        return None if body is None else decode(body)

    def _read(self, size: int) -> bytes | None:
        parts: list[bytes] = []
        while size:
            part = os.read(self.source, min(size, 1 << 20))
            if not part:
                return None
            parts.append(part)
            size -= len(part)
        return b"".join(parts)
