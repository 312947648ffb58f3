"""A client that does everything wrong: it is answered, told in a line of the log, and served on."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tilescope_server.session import path_of

from .conftest import SERVE

CAPABILITIES = {"general": {"positionEncodings": ["utf-16"]}}
PLACES = (
    {"line": -1, "character": 0},
    {"line": 2**40, "character": 0},
    {"line": "a", "character": 0},
    None,
)
HEADERS = (
    b"content-length: %d\r\n\r\n",
    b"CONTENT-LENGTH:%d \r\ncontent-type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n",
    b"Content-Length: %d\n\r\n",
)
"""The same, as HTTP lets header fields be written."""


class Raw:
    """A client that sends what it is told to, of whatever shape."""

    def __init__(self, folder: Path) -> None:
        home = {"HOME": str(folder), "XDG_STATE_HOME": str(folder), "LOCALAPPDATA": str(folder)}
        self.server = subprocess.Popen(
            [sys.executable, "-c", SERVE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **home},
        )
        self.logged: list[str] = []
        self.earlier: list[Any] = []
        self.count = 0

    def bytes(self, body: bytes, header: bytes = b"Content-Length: %d\r\n\r\n") -> None:
        assert self.server.stdin is not None
        self.server.stdin.write(header % len(body) + body)
        self.server.stdin.flush()

    def send(self, message: object) -> None:
        self.bytes(json.dumps(message).encode())

    def notify(self, method: str, **rest: Any) -> None:
        self.send({"jsonrpc": "2.0", "method": method, **rest})

    def ask(self, method: str, **rest: Any) -> Any:
        """The answer to a request, without what came before it."""
        self.count += 1
        self.send({"jsonrpc": "2.0", "id": self.count, "method": method, **rest})
        for one in self.answers():
            if one.get("id") == self.count and "method" not in one:
                return one
            self.earlier.append(one)
        raise AssertionError("no answer came")

    def answers(self) -> Iterator[Any]:
        assert self.server.stdout is not None
        while header := self.server.stdout.readline():
            size = re.match(rb"Content-Length: (\d+)", header)
            if size is None:
                continue
            while self.server.stdout.readline() != b"\r\n":
                pass
            message = json.loads(self.server.stdout.read(int(size[1])))
            if message.get("method") in ("window/logMessage", "window/showMessage"):
                self.logged.append(message["params"]["message"])
            assert "id" in message or "method" in message
            yield message


def error_of(answer: Any) -> tuple[int, str]:
    return answer["error"]["code"], answer["error"]["message"]


@pytest.fixture
def raw(tmp_path: Path) -> Iterator[Raw]:
    client = Raw(tmp_path)
    yield client
    client.server.kill()
    client.server.communicate()


def test_mistakes_are_answered_and_cost_a_line(raw: Raw, uri: str, gemm_text: str) -> None:
    document = {"uri": uri}
    early = raw.ask("textDocument/hover", params={"textDocument": document, "position": PLACES[0]})
    assert error_of(early)[0] == -32602
    good = {"textDocument": document, "position": {"line": 2**31 - 1, "character": 2**31 - 1}}
    assert error_of(raw.ask("textDocument/hover", params=good))[0] == -32002
    start = {"processId": None, "rootUri": None, "capabilities": CAPABILITIES}
    assert "result" in raw.ask("initialize", params=start)
    raw.notify("initialized", params={})
    assert error_of(raw.ask("initialize", params=start))[0] == -32600

    raw.notify("textDocument/didOpen", params={"textDocument": {**document, "languageId": "python"}})
    opened = {"languageId": "python", "version": 1, "text": gemm_text}
    for name in (uri, uri, "file:///a%00b.py", "http://[::1", "", "git:/x?y"):
        raw.notify("textDocument/didOpen", params={"textDocument": {"uri": name, **opened}})
    for place in PLACES:
        code, message = error_of(raw.ask("textDocument/hover", params={**good, "position": place}))
        assert code == -32602
        assert "position" in message
    assert raw.ask("textDocument/hover", params=good)["result"] is None
    for rest in ({}, {"params": None}, {"params": [1]}, {"params": {}}, {"params": {"uri": 5}}):
        assert error_of(raw.ask("textDocument/hover", **rest))[0] == -32602
        for method in ("passes", "layout", "variants", "compare", "timeline", "analysis"):
            answer = raw.ask(f"tilescope/{method}", **rest)
            assert answer["result"]["schema"] == "tilescope.problem/1", method
    hint = {"position": {"line": 0, "character": 0}, "label": "x", "data": {"uri": 5}}
    assert raw.ask("inlayHint/resolve", params=hint)["result"] == hint
    assert error_of(raw.ask("no/method", params={}))[0] == -32601
    nonsense = raw.ask("workspace/executeCommand", params={"command": "nonsense"})
    assert error_of(nonsense)[0] == -32602

    for body in (b"{no json", b'{"a": "\xff"}', b"[" * 100_000, b"5", b"null", b"[]", b"{}", b'{"jsonrpc": "2.0"}'):
        raw.bytes(body)
    for identity in ({"a": 1}, None):
        raw.send({"jsonrpc": "2.0", "id": identity, "method": "no/method"})
    raw.send({"jsonrpc": "2.0", "id": 9999, "result": 1})
    raw.notify("$/cancelRequest", params={"id": 9999})
    raw.notify("textDocument/didChange", params={})
    raw.notify("textDocument/didChange", params={"textDocument": {"uri": uri, "version": "x"}, "contentChanges": 5})
    answer = raw.ask("tilescope/analysis", params=document)["result"]
    assert answer["facts"]["files"][0]["kernels"]

    assert raw.ask("shutdown")["result"] is None
    assert error_of(raw.ask("textDocument/hover", params=good))[0] == -32600
    assert raw.ask("shutdown")["error"]["code"] == -32600
    raw.notify("exit")
    list(raw.answers())
    assert raw.server.wait(60) == 0
    assert raw.logged
    assert [line for line in raw.logged if "Traceback" in line or "\n" in line] == []


@pytest.mark.parametrize("uri", ["http://[::1", "file:///a%00b.py", "file:///a\0b.py", "", "file://[/x.py"])
def test_every_uri_has_a_path_that_can_be_looked_at(uri: str, tmp_path: Path) -> None:
    path = path_of(uri, tmp_path)
    assert path
    assert not Path(path).exists()


@pytest.mark.parametrize("header", HEADERS)
def test_headers_may_be_spelled_as_in_http(raw: Raw, header: bytes) -> None:
    raw.bytes(json.dumps({"jsonrpc": "2.0", "id": 0, "method": "first"}).encode(), header)
    assert error_of(raw.ask("second"))[0] == -32002
    assert error_of(next(iter(raw.earlier)))[1].startswith("first")
