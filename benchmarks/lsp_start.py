"""Start of the language server against an empty pygls server, and its resident memory.

    python benchmarks/lsp_start.py [--runs 9]

Time is from process start to the answer to ``initialize``, taken alternately, after a first start of each: both find
their modules compiled, in a folder of their own (an installed package has them compiled, this tree need not).
Resident memory is read after a kernel file was opened and its hints were answered, in an untrusted session (no
worker).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil

from figures import Figure, options, report

KERNEL = Path(__file__).parent.parent / "cli/tilescope/kernels/gemm.py"

OURS = "from tilescope_server.app import serve; serve('stdio')"
EMPTY = "from pygls.lsp.server import LanguageServer; LanguageServer('empty', '1').start_io()"


class Server:
    """A server process and one conversation with it."""

    def __init__(self, program: str, environment: dict[str, str]) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([sys.executable, "-c", program], stdin=pipe, stdout=pipe, env=environment)

    def send(self, method: str, params: dict[str, Any], identity: int | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        body = json.dumps(message if identity is None else {**message, "id": identity}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def answer(self, identity: int) -> Any:
        """The result of the request with that number; other messages are skipped."""
        assert self.process.stdout is not None
        while True:
            size = 0
            while (line := self.process.stdout.readline().strip()) != b"":
                name, _, value = line.partition(b":")
                size = int(value) if name.lower() == b"content-length" else size
            message = json.loads(self.process.stdout.read(size))
            if message.get("id") == identity:
                return message["result"]

    def initialize(self) -> None:
        self.send("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 1)
        self.answer(1)

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


def start_ms(program: str, environment: dict[str, str]) -> float:
    """From process start to the answer to ``initialize``."""
    started = time.perf_counter()
    server = Server(program, environment)
    server.initialize()
    taken = (time.perf_counter() - started) * 1000
    server.end()
    return taken


def resident_mb(environment: dict[str, str]) -> float:
    """Our server with one document open."""
    server = Server(OURS, environment)
    server.initialize()
    server.send("initialized", {})
    uri = KERNEL.as_uri()
    document = {"uri": uri, "languageId": "python", "version": 1, "text": KERNEL.read_text()}
    server.send("textDocument/didOpen", {"textDocument": document})
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 1000, "character": 0}}
    server.send("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": whole}, 2)
    assert server.answer(2)
    resident = psutil.Process(server.process.pid).memory_info().rss / 1e6
    server.end()
    return resident


def measure(runs: int) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        environment["PYTHONPYCACHEPREFIX"] = folder
        for program in (OURS, EMPTY):
            start_ms(program, environment)
        pairs = [(start_ms(OURS, environment), start_ms(EMPTY, environment)) for _ in range(runs)]
        ours, empty = (tuple(times) for times in zip(*pairs, strict=True))
        yield Figure("start.time", ours, empty)
        yield Figure("start.memory", tuple(resident_mb(environment) for _ in range(runs)))


def main() -> int:
    given = options(__doc__, runs=9).parse_args()
    return report(measure(given.runs), given.json)


if __name__ == "__main__":
    sys.exit(main())
