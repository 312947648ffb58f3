"""The host's side of a forking process: the zygote, or a document's base."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from tilescope_worker.wire.codec import WireError
from tilescope_worker.wire.messages import Ended, Fork, Forked, Hello, Kill, Message, Warm, Warmed

from .connection import SocketConnection
from .errors import WorkerEnded


@dataclass(frozen=True)
class Handle:
    """A forked process: its end becomes the result of ``ended`` (an exit code, negative for a signal)."""

    name: str
    pid: int
    sock: socket.socket
    log: Path
    ended: asyncio.Future[int]


class Forker:
    """Asks a forking process for children. Create with `open`; ``gone`` is set when the process has ended."""

    def __init__(self, connection: SocketConnection, scratch: Path) -> None:
        self._connection = connection
        self._scratch = scratch
        self._forked: dict[str, asyncio.Future[int]] = {}
        self._ended: dict[str, asyncio.Future[int]] = {}
        self._hello: asyncio.Future[Hello] = asyncio.get_running_loop().create_future()
        self._warmed: asyncio.Future[Warmed] | None = None
        self._reader = asyncio.create_task(self._read())
        self.gone = asyncio.Event()

    @classmethod
    async def open(cls, sock: socket.socket, scratch: Path, seconds: float) -> Forker:
        """Wait for the process's Hello; raises WorkerEnded when it does not come."""
        forker = cls(SocketConnection(sock), scratch)
        try:
            await asyncio.wait_for(asyncio.shield(forker._hello), seconds)
        except asyncio.TimeoutError:
            forker.close()
            raise WorkerEnded("timeout", f"did not start within {seconds:g} s") from None
        except BaseException:
            forker.close()
            raise
        return forker

    @property
    def hello(self) -> Hello:
        return self._hello.result()

    async def fork(self, name: str, role: Literal["base", "child"], imports: tuple[str, ...] = ()) -> Handle:
        """Fork a process under a name not used before; raises WorkerEnded when this forker is gone."""
        ours, theirs = socket.socketpair()
        loop = asyncio.get_running_loop()
        log = self._scratch / f"{name}.log"
        forked = self._forked[name] = loop.create_future()
        ended = self._ended[name] = loop.create_future()
        try:
            await self._connection.send_with(Fork(name, role, str(log), imports), theirs.fileno())
            pid = await forked
        except OSError:
            ours.close()
            raise WorkerEnded("crash", "is gone") from None
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
            self._forked.pop(name, None)
        return Handle(name, pid, ours, log, ended)

    async def kill(self, handle: Handle) -> None:
        """Kill a forked process with its group and wait until it is reaped."""
        handle.sock.close()
        if not handle.ended.done():
            try:
                await self._connection.send(Kill(handle.name))
            except OSError:
                return
            await asyncio.wait({handle.ended}, timeout=5.0)

    async def warm(self, targets: tuple[str, ...]) -> str | None:
        """Warm the process (seconds, during which it does not fork); returns what could not be warmed."""
        self._warmed = asyncio.get_running_loop().create_future()
        await self._connection.send(Warm(targets))
        return (await self._warmed).problem

    def close(self) -> None:
        """Let go of the process: it kills its descendants and ends."""
        self._reader.cancel()
        self._connection.close()
        self._fail_all()

    async def _read(self) -> None:
        try:
            while (message := await self._connection.receive()) is not None:
                self._dispatch(message)
        except (OSError, WireError):
            pass
        self._fail_all()

    def _dispatch(self, message: Message) -> None:
        if isinstance(message, Hello) and not self._hello.done():
            self._hello.set_result(message)
        elif isinstance(message, Forked) and message.name in self._forked:
            _settle(self._forked[message.name], message.pid)
        elif isinstance(message, Ended) and message.name in self._ended:
            _settle(self._ended.pop(message.name), message.status)
        elif isinstance(message, Warmed) and self._warmed is not None and not self._warmed.done():
            self._warmed.set_result(message)

    def _fail_all(self) -> None:
        self.gone.set()
        error = WorkerEnded("crash", "ended unexpectedly")
        waiting: list[asyncio.Future[Any]] = [self._hello, *self._forked.values()]
        if self._warmed is not None:
            waiting.append(self._warmed)
        for future in waiting:
            if not future.done():
                future.set_exception(error)
                future.exception()  # retrieved here: nobody may be waiting
        for ended in self._ended.values():
            _settle(ended, -9)
        self._ended.clear()


def _settle(future: asyncio.Future[int], value: int) -> None:
    if not future.done():
        future.set_result(value)
