"""Framed messages over asyncio: the host's end of every pipe."""

from __future__ import annotations

import asyncio
import socket
from typing import Protocol

from tilescope_worker.wire.codec import FRAME_LIMIT, HEADER, WireError, decode, encode
from tilescope_worker.wire.messages import Message


class Connection(Protocol):
    """A stream of messages; ``receive`` gives None at its end and raises WireError for what is no message."""

    async def receive(self) -> Message | None: ...

    async def send(self, message: Message) -> None: ...

    def close(self) -> None: ...


class SocketConnection:
    """Messages over a socket; file descriptors can be sent along (``send_with``)."""

    def __init__(self, sock: socket.socket) -> None:
        sock.setblocking(False)
        self._sock = sock

    async def receive(self) -> Message | None:
        header = await self._read(HEADER.size)
        if header is None:
            return None
        body = await self._read(_size(header))
        return None if body is None else decode(bytes(body))

    async def send(self, message: Message) -> None:
        await asyncio.get_running_loop().sock_sendall(self._sock, encode(message))

    async def send_with(self, message: Message, descriptor: int) -> None:
        """Send a message and a duplicate of ``descriptor``."""
        frame = encode(message)
        while True:
            try:
                sent = socket.send_fds(self._sock, [frame], [descriptor])
            except BlockingIOError:
                await asyncio.sleep(0.001)
                continue
            break
        await asyncio.get_running_loop().sock_sendall(self._sock, frame[sent:])

    def close(self) -> None:
        self._sock.close()

    async def _read(self, size: int) -> bytearray | None:
        loop = asyncio.get_running_loop()
        data = bytearray(size)
        view = memoryview(data)
        filled = 0
        while filled < size:
            try:
                count = await loop.sock_recv_into(self._sock, view[filled:])
            except ConnectionError:
                return None
            if count == 0:
                return None
            filled += count
        return data


class PipeConnection:
    """Messages over the standard streams of a subprocess."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def receive(self) -> Message | None:
        try:
            header = await self._reader.readexactly(HEADER.size)
            return decode(await self._reader.readexactly(_size(header)))
        except (asyncio.IncompleteReadError, ConnectionError):
            return None

    async def send(self, message: Message) -> None:
        self._writer.write(encode(message))
        await self._writer.drain()

    def close(self) -> None:
        self._writer.close()


def _size(header: bytes | bytearray) -> int:
    size: int = HEADER.unpack(header)[0]
    if size > FRAME_LIMIT:
        raise WireError(f"frame of {size} bytes, at most {FRAME_LIMIT} are accepted")
    return size
