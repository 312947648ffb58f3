"""The server as a process: what it imports, its transports, how it ends."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import psutil
import pytest

TCP = "from tilescope_server.app import serve; raise SystemExit(serve(('127.0.0.1', 0)))"


def test_starting_imports_neither_a_compiler_nor_a_terminal_browser() -> None:
    program = (
        "import sys, tilescope_server.app as app; app.Server()\n"
        "roots = {name.partition('.')[0] for name in sys.modules}\n"
        "print(*sorted(roots & {'tilelang', 'tvm', 'torch', 'numpy', 'textual', 'rich', 'tree_sitter', 'msgspec'}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def framed(message: dict[str, Any]) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


INITIALIZE = {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}}
GOODBYE = ({"id": 2, "method": "shutdown"}, {"method": "exit"})


async def answer(reader: asyncio.StreamReader) -> Any:
    header = await reader.readuntil(b"\r\n\r\n")
    size = int(re.search(rb"Content-Length: (\d+)", header).group(1))  # type: ignore[union-attr]
    return json.loads(await reader.readexactly(size))


async def test_tcp_serves_one_client_and_ends_with_it() -> None:
    server = await asyncio.create_subprocess_exec(sys.executable, "-c", TCP, stderr=asyncio.subprocess.PIPE)
    assert server.stderr is not None
    said = (await server.stderr.readline()).decode()
    port = int(said.rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(framed(INITIALIZE))
    assert (await answer(reader))["result"]["serverInfo"]["name"] == "tilescope"
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection("127.0.0.1", port)
    for message in GOODBYE:
        writer.write(framed(message))
    assert await server.wait() == 0
    writer.close()


async def test_a_port_in_use_is_a_usage_error() -> None:
    listener = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    program = (
        "from tilescope_server.app import serve\nfrom tilescope_trace.errors import UsageError\n"
        f"try: serve(('127.0.0.1', {port}))\nexcept UsageError as error: print(error)"
    )
    done = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert f"cannot listen on 127.0.0.1:{port}" in done.stdout
    listener.close()


@pytest.mark.parametrize(("messages", "code"), [(GOODBYE, 0), ((), 1), (({"method": "exit"},), 1)])
def test_the_exit_code_tells_a_proper_shutdown_from_a_lost_client(messages: Any, code: int) -> None:
    program = "from tilescope_server.app import serve; raise SystemExit(serve('stdio'))"
    conversation = b"".join(framed(message) for message in (INITIALIZE, *messages))
    done = subprocess.run([sys.executable, "-c", program], input=conversation, stdout=subprocess.DEVNULL, timeout=60)
    assert done.returncode == code


def test_a_client_that_reads_no_more_does_not_keep_the_server(tmp_path: Path) -> None:
    program = "from tilescope_server.app import serve; raise SystemExit(serve('stdio'))"
    pipe = subprocess.PIPE
    home = {**os.environ, "HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path), "LOCALAPPDATA": str(tmp_path)}
    server = subprocess.Popen(
        [sys.executable, "-c", program], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=home
    )
    assert server.stdin is not None
    assert server.stdout is not None
    unknown = {**INITIALIZE["params"], "initializationOptions": {"unknown": 1}}
    server.stdin.write(framed({**INITIALIZE, "params": unknown}))
    server.stdin.flush()
    assert server.stdout.read(1)
    server.stdout.close()
    # Each of these has the server say something, and what it cannot say is logged, also to the client.
    for message in ({"method": "initialized", "params": {}}, {"id": 7, "method": "nonsense"}, *GOODBYE):
        server.stdin.write(framed(message))
    server.stdin.close()
    assert server.wait(120) is not None
    logged = sum(file.stat().st_size for file in tmp_path.rglob("*") if file.is_file())
    assert 0 < logged < 50_000


@pytest.mark.asyncio(loop_scope="module")
async def test_no_process_is_left_behind(connect, gemm_text: str, tmp_path) -> None:
    editor = await connect(options={"trusted": True})
    uri = (tmp_path / "hang.py").as_uri()
    editor.open(uri, gemm_text + "\nimport subprocess; subprocess.Popen(['sleep', '300'])\nwhile True:\n    pass\n")
    server = psutil.Process(editor.client._server.pid)

    async def started() -> bool:
        return any(child.name() == "sleep" for child in server.children(recursive=True))

    await editor.until(started)
    family = server.children(recursive=True)
    await editor.client.shutdown_session()
    gone, alive = await asyncio.to_thread(psutil.wait_procs, family, 10)
    assert alive == []
    assert len(gone) >= 3


@pytest.mark.asyncio(loop_scope="module")
async def test_a_bug_in_a_handler_and_what_it_prints_cost_one_empty_answer(connect, gemm_text: str, uri: str) -> None:
    bug = (
        "import tilescope_server.features.hover as hover\n"
        "def bug(*_):\n    print('this must not reach the client')\n    raise ZeroDivisionError\n"
        "hover.site_markdown = bug\n"
        "from tilescope_server.app import serve; raise SystemExit(serve('stdio'))"
    )
    editor = await connect(serve=bug)
    editor.open(uri, gemm_text)
    assert await editor.hover(uri, 9, 15) == ""
    assert (await editor.labels(uri))[10] == ": [128,32] f16 shared 8 KiB"


def test_only_the_outer_modules_know_the_protocol() -> None:
    """Session, flow and what they use can be tested, and used by others, without pygls."""
    inner = (
        "analysis backoff compiler describe fitting flow hints labels links logs lookup parameters problems "
        "rulepages scheduler session settings shift sites statics status turns"
    )
    modules = ", ".join(f"tilescope_server.{name}" for name in [*inner.split(), "text", "trust"])
    program = f"import sys, {modules}; print('pygls' in sys.modules or 'lsprotocol' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def asked(numbers: range) -> bytes:
    """Requests whose answers fill more than a pipe, and the way out."""
    opened = {"uri": "file:///k.py", "languageId": "python", "version": 1, "text": "import tilelang\n"}
    params = {"textDocument": {"uri": "file:///k.py"}, "padding": "x" * 200}
    opening = {"method": "textDocument/didOpen", "params": {"textDocument": opened}}
    requests = ({"id": number, "method": "textDocument/codeLens", "params": params} for number in numbers)
    return b"".join(map(framed, (INITIALIZE, opening, *requests, *GOODBYE)))


def test_a_client_that_writes_everything_before_it_reads_gets_all_answers_in_order() -> None:
    program = "from tilescope_server.app import serve; raise SystemExit(serve('stdio'))"
    server = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    ending = threading.Timer(60, server.kill)
    ending.start()
    with server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(asked(range(10, 2010)))
        server.stdin.close()
        said = server.stdout.read()
    ending.cancel()
    answers = [json.loads(part.partition(b"\r\n\r\n")[2]) for part in said.split(b"Content-Length: ")[1:]]
    assert [one["id"] for one in answers if "id" in one and "method" not in one] == [1, *range(10, 2010), 2]
    assert server.returncode == 0


def test_a_session_ends_though_its_client_does_not_read() -> None:
    program = "from tilescope_server.app import serve; raise SystemExit(serve('stdio'))"
    reading, writing = os.pipe()
    try:
        conversation = asked(range(10, 2010))
        done = subprocess.run([sys.executable, "-c", program], input=conversation, stdout=writing, timeout=60)
    finally:
        os.close(reading)
        os.close(writing)
    assert done.returncode == 0
