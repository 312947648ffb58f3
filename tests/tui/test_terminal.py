"""The browser in a real terminal (tmux), and in a web page's server."""

from __future__ import annotations

import fcntl
import http.client
import os
import pty
import select
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import sys
import termios
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

    def press(self, *keys: str) -> None:
        """Presses keys, named as in the table of keys."""
        self.do("send-keys", *(key.replace("ctrl+", "C-") for key in keys))

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
    assert tmux.do("show-buffer").strip() == 'T.sblock_attr({"layout_map": {A_shared: "Sw<2,4,3>"}})'
    tmux.do("send-keys", "q")
    tmux.wait("code 0")
    assert "Passes" not in tmux.screen()


def test_in_the_background_and_back_again_it_is_drawn_whole(tmux, tmp_path):
    write_gemm(tmp_path / "gemm.tscope")
    tmux.do("new-session", "-d", "-x", "80", "-y", "24", "-c", str(tmp_path), "exec bash --norc -i")
    tmux.press(f"{shlex.quote(sys.executable)} -m tilescope view gemm.tscope", "Enter")
    tmux.wait("j/k move")
    before = tmux.screen().split("\n")[0]
    tmux.press("ctrl+z")
    tmux.wait("Stopped")
    assert "j/k move" not in tmux.screen()
    tmux.press("fg", "Enter")
    tmux.wait("j/k move")
    assert tmux.screen().split("\n")[0] == before
    tmux.wait("━ Passes")


@contextmanager
def in_a_terminal(folder, *words: str, **environment: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """A process in a terminal of its own, and the terminal's other end."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    command = [sys.executable, "-m", "tilescope", "view", "gemm.tscope", *words]
    with subprocess.Popen(
        command,
        cwd=folder,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        env=os.environ | {"TERM": "xterm"} | environment,
    ) as process:
        os.close(theirs)
        try:
            yield process, ours
        finally:
            process.kill()
            os.close(ours)


def _read(end: int, until: bytes) -> bytes:
    """What the process writes, up to ``until`` or its end."""
    found = b""
    while until not in found:
        assert select.select([end], [], [], PATIENCE_S)[0], found
        try:
            found += os.read(end, 65536)
        except OSError:
            break
    return found


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_ended_from_outside_it_leaves_the_terminal_as_it_was(tmp_path, number):
    write_gemm(tmp_path / "gemm.tscope")
    with in_a_terminal(tmp_path) as (process, end):
        _read(end, b"j/k")
        drawn = termios.tcgetattr(end)
        process.send_signal(number)
        last = _read(end, b"\x1b[?1049l")
        assert b"\x1b[?1049l" in last, "back from the alternate screen"
        assert process.wait(PATIENCE_S) == 128 + number
        assert not drawn[3] & termios.ECHO
        assert termios.tcgetattr(end)[3] & termios.ECHO


def test_it_does_not_outlive_its_terminal(tmp_path):
    write_gemm(tmp_path / "gemm.tscope")
    with in_a_terminal(tmp_path) as (process, end):
        _read(end, b"j/k")
        # More to draw than can be left waiting for a terminal that has gone.
        os.write(end, b"f" + b"\x1b[6~\x1b[5~" * 400)
        gone, theirs = pty.openpty()
        os.dup2(gone, end)
        os.close(gone)
        os.close(theirs)
        process.send_signal(signal.SIGHUP)
        assert process.wait(PATIENCE_S) == 128 + signal.SIGHUP


def test_a_terminal_that_cannot_place_the_cursor_is_refused(tmp_path):
    write_gemm(tmp_path / "gemm.tscope")
    with in_a_terminal(tmp_path, TERM="dumb") as (process, end):
        said = _read(end, b"\n")
        assert b"TERM is dumb" in said
        assert b"\x1b[?1049h" not in said
        assert process.wait(PATIENCE_S) == 2


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
