"""One analysis child as the host sees it: run a job under watch, keep it or have it killed."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping
from pathlib import Path
from typing import cast, get_args

import psutil

from tilescope_trace.stamp import stamp
from tilescope_worker.wire.codec import WireError
from tilescope_worker.wire.messages import Event, Hello, Job, JobDone, Message

from .connection import Connection
from .errors import EndKind, WorkerEnded
from .policy import Policy

OUTPUT_TAIL = 4096
"""Bytes of a dead child's log that are kept for the message."""
STACK_SECONDS = 0.05
"""Time for a hanging child to print its stack before it is killed."""
_WORKS = 0.05
"""Share of a processor from which on a silent child works rather than waits for something."""
_MOST_STEPS = 4
"""Times the allowed silence that a child on a busy machine gets."""
CLOCK_NS = 20_000_000
"""How far the clock that stamps files may lie behind."""


class Child:
    """A process that serves one job at a time. ``end`` kills it and returns its exit status; ``fit`` is False once
    it must not serve again."""

    def __init__(self, connection: Connection, pid: int, log: Path, end: Callable[[], Awaitable[int]]) -> None:
        self.pid = pid
        self.end = end
        self.fit = True
        self._connection = connection
        self._log = log
        self._greeted = False
        self._heard_out = False
        self._modules: dict[str, tuple[int, int] | str] = {}
        self._inbox: asyncio.Queue[Message | WireError | None] = asyncio.Queue()
        # A task of its own reads whole frames: a job left in the middle must not leave half a frame behind.
        self._pump = asyncio.create_task(self._read())

    async def greet(self, seconds: float) -> Hello:
        """Wait for the child's Hello; raises WorkerEnded when it does not come."""
        try:
            hello = await asyncio.wait_for(self._inbox.get(), seconds)
        except asyncio.TimeoutError:
            self.fit = False
            raise WorkerEnded("timeout", f"did not start within {seconds:g} s") from None
        if not isinstance(hello, Hello):
            raise await self._death(started=False)
        self._greeted = True
        return hello

    async def run(self, job: Job, policy: Policy) -> AsyncGenerator[Event, None]:
        """Events of the job, JobDone last. Raises WorkerEnded on time-out, memory cap or death.

        Left early (closed or cancelled), the child is given ``policy.grace_seconds`` to end the job and is unfit
        after that.
        """
        done = False
        began = time.time_ns()
        watch = asyncio.create_task(_watch_memory(self.pid, policy))
        try:
            if not self._greeted:
                await self.greet(policy.start_seconds)
            await self._send(job)
            while not done:
                event = await self._next(watch, policy)
                if isinstance(event, JobDone):
                    done = True
                    self._modules = states(event.modules, job.overlays, began)
                    self.fit = not event.spent
                yield event
        finally:
            watch.cancel()
            if not done and self.fit:
                self.fit = await self._drain(policy.grace_seconds)

    def close(self) -> None:
        """Stop reading; the process is ended by ``end`` or by its closed connection."""
        self.fit = False
        self._pump.cancel()
        self._connection.close()

    def is_gone(self) -> bool:
        """Whether the process has ended while it had nothing to do: its end may be noticed before it is read."""
        return self._heard_out or _is_dead(self.pid)

    def stale(self, overlays: Mapping[str, str]) -> bool:
        """True when a workspace module that the child has imported is not what it was, on disk or, where the next job
        has an overlay for it, there."""
        return self._modules != states(self._modules, overlays)

    async def _read(self) -> None:
        try:
            while (message := await self._connection.receive()) is not None:
                self._inbox.put_nowait(message)
        except WireError as error:
            self._inbox.put_nowait(error)
        except OSError:
            pass
        finally:
            # Whatever ended the reading: who waits for a message must not wait for ever.
            self._heard_out = True
            self._inbox.put_nowait(None)

    async def _send(self, job: Job) -> None:
        try:
            await self._connection.send(job)
        except OSError:
            raise await self._death() from None

    async def _next(self, watch: asyncio.Task[int], policy: Policy) -> Event:
        get = asyncio.create_task(self._inbox.get())
        began, waited = cpu_seconds(self.pid), 0.0
        try:
            while not get.done() and not watch.done():
                if waited and not is_starved(cpu_seconds(self.pid) - began, waited, policy.step_seconds):
                    break
                await asyncio.wait({get, watch}, timeout=policy.step_seconds, return_when=asyncio.FIRST_COMPLETED)
                waited += policy.step_seconds
        finally:
            get.cancel()
        if not get.done():
            self.fit = False
            await self._ask_where_it_stands()
            if watch.done():
                raise self._ended("memory", _too_much(watch.result(), policy.memory_bytes))
            raise self._ended("timeout", f"made no progress for {waited:g} s and was stopped")
        message = get.result()
        if message is None:
            raise await self._death()
        if isinstance(message, WireError):
            self.fit = False
            raise self._ended("protocol", f"sent what cannot be read: {message}")
        return cast("Event", message)

    async def _ask_where_it_stands(self) -> None:
        if sys.platform != "win32":
            with contextlib.suppress(OSError):
                os.kill(self.pid, signal.SIGUSR1)
            await asyncio.sleep(STACK_SECONDS)

    async def _drain(self, seconds: float) -> bool:
        """Wait a moment for a left job to finish; True when the child is free again."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds
        while (rest := deadline - loop.time()) > 0:
            try:
                message = await asyncio.wait_for(self._inbox.get(), rest)
            except asyncio.TimeoutError:
                return False
            if isinstance(message, JobDone):
                return not message.spent
            if not isinstance(message, get_args(Event)):
                return False
        return False

    async def _death(self, *, started: bool = True) -> WorkerEnded:
        self.fit = False
        status = await self.end()
        if not started:
            return self._ended("start", f"ended before it was ready (exit code {status})")
        if status >= 0:
            return self._ended("exit", f"was ended by the file's own code (exit code {status})")
        name = signal_name(-status)
        hint = ": killed from outside, or out of memory" if name == "SIGKILL" else ""
        return self._ended("crash", f"was ended by {name}{hint}")

    def _ended(self, kind: EndKind, detail: str) -> WorkerEnded:
        return WorkerEnded(kind, detail, tail(self._log))


def states(
    paths: Iterable[str], overlays: Mapping[str, str], began: int | None = None
) -> dict[str, tuple[int, int] | str]:
    """What each path holds: its overlay, or the `stamp` of what is on disk. ``began`` (ns) is when a job that has
    read the files began: of one that was written since, nobody knows what the job has seen."""
    found: dict[str, tuple[int, int] | str] = {}
    for path in paths:
        changed, size = stamp(path)
        unsure = began is not None and changed > began - CLOCK_NS
        found[path] = overlays.get(path, (-1, -1) if unsure else (changed, size))
    return found


def tail(log: Path) -> str:
    """The last bytes of a log file, empty where there is none."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, log.stat().st_size - OUTPUT_TAIL))
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _is_dead(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
    except psutil.Error:
        return False


async def _watch_memory(pid: int, policy: Policy) -> int:
    """Return the resident bytes of the process once they are over the cap."""
    while (resident := _resident(pid)) <= policy.memory_bytes:
        await asyncio.sleep(policy.watch_seconds)
    return resident


def _resident(pid: int) -> int:
    try:
        return int(psutil.Process(pid).memory_info().rss)
    except psutil.Error:
        return 0


def largest_resident(root: int) -> int | None:
    """Resident bytes of the largest process among one and its descendants, None where it has ended."""
    try:
        process = psutil.Process(root)
        pids = [root, *(child.pid for child in process.children(recursive=True))]
    except psutil.Error:
        return None
    return max(map(_resident, pids))


def cpu_seconds(pid: int) -> float:
    """CPU time of a process and of those it has waited for, 0 where there is none."""
    try:
        return float(sum(psutil.Process(pid).cpu_times()[:4]))
    except psutil.Error:
        return 0.0


def is_starved(used: float, waited: float, step_seconds: float) -> bool:
    """Whether a process that was silent for ``waited`` seconds, and had ``used`` seconds of CPU time in them, may
    only be slow for want of a processor: it works, but had less than half of the time it is allowed."""
    return _WORKS * waited < used < step_seconds / 2 and waited < _MOST_STEPS * step_seconds


def _too_much(resident: int, cap: int) -> str:
    return f"was stopped at {resident / 2**30:.1f} GiB of memory (limit {cap / 2**30:.1f} GiB)"
