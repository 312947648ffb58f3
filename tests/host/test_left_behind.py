"""What analysed code opens, starts and writes is gone when its job is over."""

from __future__ import annotations

import sys
import textwrap
from contextlib import aclosing
from pathlib import Path

import psutil
import pytest

from tilescope_trace.host import Host, Policy
from tilescope_worker.wire.messages import Event, Failure, Job, JobDone

PATH = "/nowhere/leaves_things.py"


async def run(host: Host, text: str) -> JobDone:
    events: list[Event] = []
    async with aclosing(host.run(PATH, Job(PATH, textwrap.dedent(text), ()))) as running:  # type: ignore[type-var]
        async for event in running:
            events.append(event)  # noqa: PERF401 - the stream is closed on the way out
    assert not [event for event in events if isinstance(event, Failure)]
    assert isinstance(events[-1], JobDone)
    return events[-1]


def sockets() -> set[str]:
    """Named Unix sockets and listening TCP ports of this process and all below it."""
    found: set[str] = set()
    for process in [psutil.Process(), *psutil.Process().children(recursive=True)]:
        try:
            found |= {str(one.laddr) for one in process.net_connections("all") if one.laddr}
        except psutil.Error:  # noqa: PERF203 - it may end while it is looked at
            continue
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="looks below /proc")
async def test_sockets_threads_and_files(tmp_path: Path) -> None:
    before, folder = sockets(), Path.cwd()
    written = {*folder.iterdir(), *tmp_path.iterdir()}
    async with Host(sys.executable, Policy(step_seconds=20.0)) as host:
        for leaves in (
            "import socket\nx = socket.socket(socket.AF_UNIX)\nx.bind('\\0left_by_analysed_code')\nx.listen()",
            "import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True).start()",
        ):
            assert (await run(host, leaves)).spent
        # The next job runs in another process, in which nothing of them is.
        text = """
            import threading, os
            assert threading.active_count() == 1, threading.enumerate()
            with open("/proc/net/unix") as file:
                assert "left_by_analysed_code" not in file.read()
            """
        assert not (await run(host, text)).spent
        assert not (
            await run(host, "import tempfile\nkept = open(tempfile.mkstemp()[1], 'w')\nkept.write('x')")
        ).spent
    assert sockets() <= before
    assert {*folder.iterdir(), *tmp_path.iterdir()} == written
