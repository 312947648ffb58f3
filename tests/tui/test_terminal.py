"""The browser in a real terminal (tmux), and in a web page's server."""

from __future__ import annotations

import http.client
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from tests.tui.lifelike import write_gemm

PATIENCE_S = 60.0


def _until(condition: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.1)


class Tmux:
    """One tmux server with one window."""

    def __init__(self, folder) -> None:
        self.base = ["tmux", "-S", str(folder / "tmux.sock"), "-f", "/dev/null"]

    def do(self, *words: str) -> str:
        return subprocess.run([*self.base, *words], capture_output=True, text=True, check=True).stdout

    def screen(self) -> str:
        return self.do("capture-pane", "-p")

    def wait(self, text: str) -> None:
        _until(lambda: text in self.screen(), f"{text!r} in\n{self.screen()}")


@pytest.fixture
def tmux(tmp_path) -> Iterator[Tmux]:
    if shutil.which("tmux") is None:
        pytest.skip("needs tmux")
    found = Tmux(tmp_path)
    yield found
    subprocess.run([*found.base, "kill-server"], capture_output=True, check=False)


def test_in_tmux_it_is_drawn_copies_to_the_clipboard_and_leaves_no_trace(tmux, tmp_path):
    write_gemm(tmp_path / "gemm.tscope")
    command = f"{shlex.quote(sys.executable)} -m tilescope view gemm.tscope; echo code $?; exec cat"
    tmux.do("new-session", "-d", "-x", "80", "-y", "24", "-c", str(tmp_path), command)
    tmux.do("set", "-g", "set-clipboard", "on")
    tmux.wait("j/k move")
    tmux.wait("+1")
    lines = tmux.screen().split("\n")
    assert lines[0].strip().startswith("matmul.main · cuda:sm_90a · ✓ ok")
    assert lines[1].startswith("━ Passes")
    assert max(map(len, lines)) <= 80
    tmux.do("send-keys", "Tab", "y")
    tmux.wait("copied 1 line")
    assert tmux.do("show-buffer").strip() == '# target {"arch": "sm_90a", "kind": "cuda"}'
    tmux.do("send-keys", "q")
    tmux.wait("code 0")
    assert "Passes" not in tmux.screen()


@contextmanager
def served(folder, port: int) -> Iterator[None]:
    command = [sys.executable, "-m", "tilescope", "view", "gemm.tscope", "--serve", "--port", str(port)]
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.DEVNULL) as process:
        try:
            _until(lambda: _answer(port) is not None or process.poll() is not None, "the server")
            yield
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(PATIENCE_S)


def _answer(port: int, path: str = "/", **headers: str) -> tuple[int, str] | None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        return response.status, response.getheader("Content-Security-Policy") or ""
    except ConnectionRefusedError:
        return None
    finally:
        connection.close()


def test_a_page_is_served_to_this_machine_and_to_its_own_pages_only(tmp_path):
    pytest.importorskip("textual_serve")
    write_gemm(tmp_path / "gemm.tscope")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec_WebSocket_Version": "13",
        "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    with served(tmp_path, port):
        status, policy = _answer(port)
        assert status == 200
        assert "default-src 'none'" in policy
        assert _answer(port, Host="rebound.example")[0] == 403
        assert _answer(port, "/ws", Origin="http://elsewhere.example", **upgrade)[0] == 403
        assert _answer(port, "/ws", Origin=f"http://127.0.0.1:{port}", **upgrade)[0] == 101
    assert _answer(port) is None
