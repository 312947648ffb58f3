"""How messages get to a server and from it: standard input and output, or TCP."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
from typing import TYPE_CHECKING, Any

from pygls.io_ import run_async

from tilescope_trace.errors import UsageError

from .headers import HeaderReader
from .mistakes import tell_briefly
from .pipes import Writer, reader_of

if TYPE_CHECKING:
    from pygls.io_ import AsyncReader

    from tilescope_server.app import Server

log = logging.getLogger(__name__)


async def stdio(server: Server) -> None:
    """Converse over standard input and output until the client leaves."""
    # The protocol gets descriptors of its own: nothing that prints, here or in a child process, can garble it.
    reading, writing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    conversation = asyncio.current_task()
    assert conversation is not None
    writer = Writer(writing, conversation.cancel)
    try:
        await _converse(server, reader_of(reading), writer)
    finally:
        writer.close()


async def tcp(server: Server, host: str, port: int) -> None:
    """Converse with the first client that connects until it leaves. Raises UsageError where the address cannot be
    used."""
    finished: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        listener.close()  # one client: another would take the first one's answers
        if server.protocol.writer is not None:
            writer.close()
            return
        try:
            await _converse(server, reader, writer)
        finally:
            if not finished.done():
                finished.set_result(None)

    try:
        listener = await asyncio.start_server(connected, host, port)
    except OSError as error:
        raise UsageError(f"cannot listen on {host}:{port}: {error.strerror or error}") from None
    address = listener.sockets[0].getsockname()
    sys.stderr.write(f"tilescope language server listening on {address[0]}:{address[1]}\n")
    sys.stderr.flush()
    await finished


async def _converse(server: Server, reader: AsyncReader, writer: Any) -> None:
    tell_briefly(log)
    server.protocol.set_writer(writer)
    try:
        await run_async(threading.Event(), HeaderReader(reader), server.protocol, log)
    except asyncio.IncompleteReadError:
        log.warning("the client closed the connection inside a message")
    finally:
        await server.end()
