"""The forking processes: a zygote that has imported TileLang, and per-document bases forked from it.

Both answer Fork, Kill and Warm on a control socket and report Ended. A forked process gets the other end of a
socket of its own, sent along with Fork, so that no traffic of children passes through here.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import select
import shutil
import signal
import socket
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from . import child, sandbox
from .about import hello
from .channel import Channel
from .wire.codec import FRAME_LIMIT, HEADER, decode
from .wire.messages import Ended, Fork, Forked, Kill, Message, Warm, Warmed

POLL_SECONDS = 0.5
"""How often ended children are looked for when nothing else happens: SIGCHLD wakes the loop at once."""


def main(control: int, scratch: str) -> int:
    """Run the zygote on the inherited socket ``control`` until the host closes it; then remove ``scratch``."""
    sandbox.own_session()
    sandbox.capture_output(str(Path(scratch) / "zygote.log"))
    hello()
    code = Forker(socket.socket(fileno=control), scratch).serve()
    shutil.rmtree(scratch, ignore_errors=True)
    return code


@dataclass
class Forker:
    """The loop of a zygote or base."""

    control: socket.socket
    scratch: str
    children: dict[str, int] = field(default_factory=dict)

    def serve(self) -> int:
        """Say Hello, then answer until the host closes the control socket; kill all descendants at the end."""
        sandbox.adopt_orphans()
        wakeup, alarm = os.pipe()
        for end in (wakeup, alarm):
            os.set_blocking(end, False)
        previous = signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(alarm, warn_on_full_buffer=False)
        try:
            self._send(hello())
            while self._wait(wakeup):
                pass
        except (ConnectionError, BrokenPipeError):
            pass
        finally:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, previous)
            os.close(wakeup)
            os.close(alarm)
            self._end_all()
        return 0

    def _wait(self, wakeup: int) -> bool:
        control = self.control.fileno()
        ready, _, _ = select.select([control, wakeup], [], [], POLL_SECONDS)
        if wakeup in ready:
            with contextlib.suppress(BlockingIOError):
                os.read(wakeup, 4096)
        self._reap()
        self._sweep()
        if control not in ready:
            return True
        received = self._receive()
        if received is None:
            return False
        message, descriptor = received
        self._answer(message, descriptor)
        return True

    def _answer(self, message: Message, descriptor: int | None) -> None:
        if isinstance(message, Fork) and descriptor is not None:
            pid = self._fork(message, descriptor)
            self._send(Forked(message.name, pid))
        elif isinstance(message, Kill):
            self._kill(message.name)
        elif isinstance(message, Warm):
            self._send(Warmed(_warm(message.targets)))

    def _fork(self, request: Fork, descriptor: int) -> int:
        parent = os.getpid()
        pid = os.fork()
        if pid:
            os.close(descriptor)
            self.children[request.name] = pid
            return pid
        code = 1
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            self.control.close()
            code = _become(request, descriptor, parent, self.scratch)
        except (ConnectionError, BrokenPipeError, KeyboardInterrupt):
            code = 0
        except BaseException:  # noqa: BLE001 - reported in the log; the fork must never return into the parent's loop
            sys.excepthook(*sys.exc_info())
        finally:
            sandbox.flush_output()
            os._exit(code)

    def _kill(self, name: str) -> None:
        pid = self.children.get(name)
        if pid is not None:
            _kill_group(pid)
            self._reap(block=pid)

    def _reap(self, block: int | None = None) -> None:
        """Collect ended children, kill their groups and tell the host."""
        names = {pid: name for name, pid in self.children.items()}
        while True:
            try:
                pid, status = os.waitpid(block or -1, 0 if block else os.WNOHANG)
            except ChildProcessError:
                break
            if pid == 0:
                break
            block = None
            name = names.get(pid)
            if name is None:
                continue
            del self.children[name]
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(pid, signal.SIGKILL)
            self._send(Ended(name, pid, os.waitstatus_to_exitcode(status)))

    def _sweep(self) -> None:
        """Kill adopted orphans: children of this process that it did not fork itself."""
        for pid in sandbox.children():
            if pid not in self.children.values():
                _kill_group(pid)

    def _end_all(self) -> None:
        for pid in self.children.values():
            _kill_group(pid)
        self.children.clear()
        deadline = time.monotonic() + 2.0
        while time.monotonic() < deadline:
            self._sweep()
            try:
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
            except ChildProcessError:
                return
            time.sleep(0.005)

    def _send(self, message: Message) -> None:
        Channel(self.control.fileno(), self.control.fileno()).send(message)

    def _receive(self) -> tuple[Message, int | None] | None:
        """The next control message with the descriptor sent along; None when the host is gone."""
        header, descriptors, _, _ = socket.recv_fds(self.control, HEADER.size, 1)
        while header and len(header) < HEADER.size:
            header += self.control.recv(HEADER.size - len(header))
        if not header:
            return None
        size = HEADER.unpack(header)[0]
        if size > FRAME_LIMIT:
            return None
        body = b""
        while len(body) < size:
            part = self.control.recv(size - len(body))
            if not part:
                return None
            body += part
        return decode(body), descriptors[0] if descriptors else None


def _become(request: Fork, descriptor: int, parent: int, scratch: str) -> int:
    """In the forked process: detach, confine, import, and take up the role; returns the exit code."""
    sandbox.own_session()
    sandbox.die_with_parent(parent)
    sandbox.adopt_orphans()
    sandbox.capture_output(request.log)
    sandbox.limit(scratch)
    if request.role == "child":
        return child.serve(Channel(descriptor, descriptor))
    for name in request.imports:
        # The child meets the same error when it runs the file, and reports it with its place.
        with contextlib.suppress(BaseException):
            importlib.import_module(name)
    return Forker(socket.socket(fileno=descriptor), scratch).serve()


def _kill_group(pid: int) -> None:
    """Kill the group that ``pid`` leads, and ``pid`` itself: just forked, it does not lead one yet."""
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)


def _warm(targets: tuple[str, ...]) -> str | None:
    try:
        importlib.import_module("tilescope_worker.work").warm(targets)
    except Exception as error:  # noqa: BLE001 - told to the host, which logs it; a cold worker still works
        return f"{type(error).__name__}: {error}"
    return None
