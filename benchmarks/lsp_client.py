"""A plain client of the language server for benchmarks: pipes, one reading thread, and the moment of each message."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import psutil

SERVE = "from tilescope_server.app import serve; raise SystemExit(serve('stdio'))"
STAGES = ("static", "buffers", "layouts", "lowered", "registers")
CAPABILITIES = {
    "workspace": {"inlayHint": {"refreshSupport": True}},
    "textDocument": {"inlayHint": {"resolveSupport": {"properties": ["tooltip"]}}},
}
PATIENCE = 180.0
"""Seconds after which something that is waited for counts as lost."""


class ServerGone(Exception):  # noqa: N818 - an event
    """The server has ended, or does not answer."""


class Client:
    """One session with a server of its own, over stdio; ``command`` starts another than ours. Times are those of
    ``time.perf_counter``, in seconds.

    ``errors`` holds every error response and whatever could not be read: empty while the protocol is kept."""

    def __init__(
        self, options: Mapping[str, Any], folder: Path, command: Sequence[str] = (sys.executable, "-c", SERVE)
    ) -> None:
        self.errors: list[Any] = []
        self.notes: deque[tuple[float, str, Any]] = deque(maxlen=20_000)
        self._news = threading.Condition()
        self._answers: dict[int, queue.SimpleQueue[tuple[float, Any]]] = {}
        self._number = 0
        self._writing = threading.Lock()
        self._log = (folder / "server.log").open("wb")
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=self._log, cwd=folder)
        self.family = psutil.Process(self.process.pid)
        threading.Thread(target=self._read, daemon=True).start()
        root = {"rootUri": folder.as_uri(), "processId": None, "capabilities": CAPABILITIES}
        self.request("initialize", {**root, "initializationOptions": dict(options)})
        self.notify("initialized", {})

    def notify(self, method: str, params: Any) -> float:
        """Send a notification; when."""
        return self._send({"method": method, "params": params})

    def request(self, method: str, params: Any) -> Any:
        """The result of a request; None where it was an error."""
        return self.timed(method, params)[1]

    def timed(self, method: str, params: Any) -> tuple[float, Any]:
        """The milliseconds until the answer, and the result."""
        self._number += 1
        number, answers = self._number, queue.SimpleQueue[tuple[float, Any]]()
        self._answers[number] = answers
        sent = self._send({"id": number, "method": method, "params": params})
        try:
            came, result = answers.get(timeout=PATIENCE)
        except queue.Empty:
            raise ServerGone(f"no answer to {method}") from None
        if result is _GONE:
            raise ServerGone(f"the server ended instead of answering {method}")
        return (came - sent) * 1000, result

    def open(self, uri: str, text: str, version: int = 1) -> float:
        item = {"uri": uri, "languageId": "python", "version": version, "text": text}
        return self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, *changes: Mapping[str, Any]) -> float:
        """Apply content changes of the protocol; ``{"text": ...}`` replaces the whole."""
        document = {"uri": uri, "version": version}
        return self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)})

    def close(self, uri: str) -> float:
        return self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def hints(self, uri: str, first: int = 0, last: int = 100_000) -> list[Any]:
        """Hints of 0-based lines."""
        return self.timed("textDocument/inlayHint", _range(uri, first, last))[1] or []

    def range_ms(self, uri: str, first: int, last: int) -> float:
        return self.timed("textDocument/inlayHint", _range(uri, first, last))[0]

    def told(self, since: float, holds: Callable[[str, Any], bool], patience: float = PATIENCE) -> float:
        """The moment of the first notification or request of the server after ``since`` of which ``holds`` is
        true."""
        end = time.perf_counter() + patience
        with self._news:
            while True:
                for came, method, params in self.notes:
                    if came >= since and holds(method, params):
                        return came
                if not self._news.wait(end - time.perf_counter()):
                    raise ServerGone("what was waited for did not come")

    def read_at(self, since: float, uri: str, version: int) -> float:
        """When the facts that the source gives of a version were there: its diagnostics are sent with them."""

        def told(method: str, params: Any) -> bool:
            if method != "textDocument/publishDiagnostics":
                return False
            return params["uri"] == uri and params.get("version") == version

        return self.told(since, told)

    def stage_at(self, since: float, uri: str, version: int, stage: str, lines: tuple[int, int]) -> float:
        """When hints on ``lines`` were compiled ones of a version, at a stage or a later one."""
        wanted = STAGES[STAGES.index(stage) :]
        end = time.perf_counter() + PATIENCE
        while time.perf_counter() < end:
            for hint in self.hints(uri, *lines):
                data = hint.get("data") or {}
                if data.get("version") == version and data.get("stage") in wanted:
                    return time.perf_counter()
            try:
                since = self.told(since, lambda method, _: method == "workspace/inlayHint/refresh", 0.05) + 1e-9
            except ServerGone:
                continue
        raise ServerGone(f"version {version} of {uri} never reached {stage}")

    def complete(self, uri: str, version: int) -> Any:
        """The analysis of a version once nothing more is due for it."""
        end = time.perf_counter() + PATIENCE
        while time.perf_counter() < end:
            found = self.request("tilescope/analysis", {"textDocument": {"uri": uri}})
            if found and found["version"] == version and found["complete"]:
                return found
            time.sleep(0.02)
        raise ServerGone(f"version {version} of {uri} was never complete")

    def cpu_seconds(self) -> float:
        """What the server's own process has used of processors."""
        used = self.family.cpu_times()
        return used.user + used.system

    def end(self) -> int:
        """Leave properly; the exit code."""
        self.request("shutdown", None)
        self.notify("exit", None)
        assert self.process.stdin is not None
        self.process.stdin.close()
        code = self.process.wait(30)
        self._log.close()
        return code

    def _send(self, message: dict[str, Any]) -> float:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        with self._writing:
            now = time.perf_counter()
            try:
                self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
                self.process.stdin.flush()
            except BrokenPipeError:
                raise ServerGone("the server has ended") from None
            return now

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while (header := stream.readline()) != b"":
            size = 0
            while header.strip():
                name, _, value = header.partition(b":")
                size = int(value) if name.lower() == b"content-length" else size
                if name.lower() not in (b"content-length", b"content-type"):
                    self.errors.append(f"not a header: {header!r}")
                header = stream.readline()
            body = stream.read(size)
            if len(body) < size:
                break
            self._take(time.perf_counter(), json.loads(body))
        for waiting in list(self._answers.values()):
            waiting.put((time.perf_counter(), _GONE))

    def _take(self, now: float, message: dict[str, Any]) -> None:
        if "error" in message:
            self.errors.append(message)
        if "method" not in message:
            waiting = self._answers.pop(message.get("id", -1), None)
            if waiting is not None:
                waiting.put((now, message.get("result")))
            return
        with self._news:
            self.notes.append((now, message["method"], message.get("params")))
            self._news.notify_all()
        if "id" in message:
            self._send({"id": message["id"], "result": None})


_GONE = object()


def _range(uri: str, first: int, last: int) -> dict[str, Any]:
    places = {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}}
    return {"textDocument": {"uri": uri}, "range": places}
