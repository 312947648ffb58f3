"""Hostile and unlucky files cost one child: the host answers, says what happened and where, and goes on."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import AsyncIterator
from contextlib import aclosing
from pathlib import Path

import psutil
import pytest
import pytest_asyncio

from tilescope_trace.errors import UsageError
from tilescope_trace.host import Host, Policy, WorkerEnded
from tilescope_trace.host.child import is_starved
from tilescope_worker.wire.messages import Event, Failure, Job, JobDone

MODULE_LOOP = pytest.mark.asyncio(loop_scope="module")
POLICY = Policy(step_seconds=3.0, memory_bytes=1 << 30, documents=3)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def host() -> AsyncIterator[Host]:
    async with Host(sys.executable, POLICY) as running:
        yield running


async def run(host: Host, text: str, path: str = "/nowhere/kernel.py") -> list[Event]:
    async with aclosing(host.run(path, Job(path, textwrap.dedent(text), ()))) as events:  # type: ignore[type-var]
        return [event async for event in events]


def done(events: list[Event]) -> JobDone:
    assert isinstance(events[-1], JobDone)
    return events[-1]


def error(events: list[Event]) -> Failure:
    (failure,) = [event for event in events if isinstance(event, Failure)]
    return failure


@MODULE_LOOP
async def test_hello_tells_who_works(host: Host) -> None:
    hello = await host.hello()
    assert hello.tilelang is not None
    assert hello.pid != os.getpid()


@MODULE_LOOP
async def test_endless_loop_is_stopped_and_located(host: Host) -> None:
    with pytest.raises(WorkerEnded) as caught:
        await run(host, "x = 1\nwhile True:\n    x += 1\n")
    assert caught.value.kind == "timeout"
    assert caught.value.line_in("/nowhere/kernel.py") in (2, 3)
    assert done(await run(host, "x = 1"))


@MODULE_LOOP
async def test_exit_is_told_with_its_code(host: Host) -> None:
    with pytest.raises(WorkerEnded, match="exit code 3") as caught:
        await run(host, "import os\nx = os._exit(3)\n")
    assert caught.value.kind == "exit"
    assert done(await run(host, "x = 1"))


@MODULE_LOOP
async def test_crash_names_signal_and_line(host: Host) -> None:
    with pytest.raises(WorkerEnded, match="SIGSEGV") as caught:
        await run(host, "import ctypes\n\nctypes.string_at(0)\n")
    assert caught.value.line_in("/nowhere/kernel.py") == 3
    assert done(await run(host, "x = 1"))


@MODULE_LOOP
async def test_child_killed_from_outside_is_replaced(host: Host) -> None:
    with pytest.raises(WorkerEnded, match="SIGKILL"):
        await run(host, "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n")
    assert done(await run(host, "x = 1"))


@MODULE_LOOP
async def test_large_output_is_captured_not_passed_on(host: Host, capfd: pytest.CaptureFixture[str]) -> None:
    events = await run(host, "import os\nx = print('x' * 10_000_000)\nos.write(1, b'the end')\n")
    assert done(events).output.endswith("the end")
    assert len(done(events).output) < 100_000
    assert capfd.readouterr() == ("", "")


@MODULE_LOOP
async def test_output_of_one_job_is_not_told_with_the_next(host: Host) -> None:
    assert "first" in done(await run(host, "x = print('first')")).output
    assert "first" not in done(await run(host, "x = print('second')")).output


@MODULE_LOOP
async def test_stdin_is_empty(host: Host) -> None:
    assert error(await run(host, "x = input()")).exception == "EOFError"


@MODULE_LOOP
async def test_forty_gigabytes_are_refused(host: Host) -> None:
    assert error(await run(host, "x = bytearray(40 << 30)")).exception == "MemoryError"


@MODULE_LOOP
async def test_growing_memory_is_stopped(host: Host) -> None:
    with pytest.raises(WorkerEnded, match="GiB") as caught:
        await run(host, "x = []\nwhile True:\n    x.append(b'x' * (1 << 26))\n")
    assert caught.value.kind == "memory"


@MODULE_LOOP
@pytest.mark.parametrize(
    "leave",
    [
        "if not os.fork():\n    select.select([], [], [], 60)\n",
        # A daemon: it has left the session and its parent is gone.
        "if not os.fork():\n    os.setsid()\n    if not os.fork():\n        select.select([], [], [], 60)\n"
        "    x = os._exit(0)\n",
        "subprocess.Popen(['sleep', '60'])\n",
    ],
)
async def test_no_process_is_left_behind(host: Host, leave: str) -> None:
    assert done(await run(host, "x = 1"))
    before = await _settled()
    events = await run(host, f"import os, select, subprocess\n{leave}", "/nowhere/forks.py")
    assert done(events).spent
    await host.forget("/nowhere/forks.py")
    await _until(lambda: _descendants() <= before)


@MODULE_LOOP
async def test_a_copy_of_the_process_answers_nothing(host: Host) -> None:
    text = "import os\nif not os.fork():\n    x = 1\n"
    for _ in range(2):
        events = await run(host, text, "/nowhere/copies.py")
        assert [type(event) for event in events] == [JobDone]
    await host.forget("/nowhere/copies.py")


@MODULE_LOOP
async def test_cancelled_job_ends_at_once(host: Host) -> None:
    task = asyncio.create_task(run(host, "while True: pass"))
    await asyncio.sleep(0.3)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert done(await run(host, "x = 1"))


@MODULE_LOOP
async def test_documents_do_not_wait_for_each_other(host: Host) -> None:
    hanging = asyncio.create_task(run(host, "while True: pass", "/nowhere/hangs.py"))
    await asyncio.sleep(0.2)
    assert done(await run(host, "x = 1", "/nowhere/other.py"))
    assert not hanging.done()
    with pytest.raises(WorkerEnded):
        await hanging


@MODULE_LOOP
async def test_processes_of_old_documents_are_dropped(host: Host) -> None:
    # A zygote; for each document that is kept a base, a child and a spare.
    most = 1 + 3 * POLICY.documents
    for number in range(POLICY.documents + 2):
        await run(host, "x = 1", f"/nowhere/many_{number}.py")
    await _until(lambda: len(_descendants()) <= most)
    together = [run(host, "x = 1", f"/nowhere/together_{number}.py") for number in range(POLICY.documents + 3)]
    assert all(map(done, await asyncio.gather(*together)))
    await _until(lambda: len(_descendants()) <= most)
    assert done(await run(host, "x = 1", "/nowhere/together_0.py")), "one that was dropped gets new ones"


@MODULE_LOOP
async def test_writes_outside_the_scratch_folder_and_network_are_refused(host: Host, tmp_path: Path) -> None:
    target = tmp_path / "written"
    assert error(await run(host, f"open({str(target)!r}, 'w')")).exception == "PermissionError"
    assert not target.exists()
    connect = "import socket\nsocket.create_connection(('127.0.0.1', 9))"
    assert error(await run(host, connect)).exception == "PermissionError"
    assert done(await run(host, "import tempfile\ntempfile.TemporaryFile().write(b'x')"))
    assert done(await run(host, "import os, pathlib\nopen(os.path.expanduser('~/x'), 'w').write('x')"))


@MODULE_LOOP
async def test_changed_workspace_module_is_imported_anew(host: Host, tmp_path: Path) -> None:
    helper = tmp_path / "helper.py"
    helper.write_text("VALUE = 1\n")
    path = str(tmp_path / "kernel.py")
    text = "import helper\nx = print('value', helper.VALUE)"
    events = await run(host, text, path)
    assert "value 1" in done(events).output
    assert done(events).modules == (str(helper),)
    helper.write_text("VALUE = 22\n")
    assert "value 22" in done(await run(host, text, path)).output


@MODULE_LOOP
async def test_the_workers_modules_do_not_shadow_the_users(host: Host) -> None:
    assert error(await run(host, "import sandbox")).exception == "ModuleNotFoundError"
    text = "import sys\nx = print([p for p in sys.path if p.rstrip('/').endswith('tilescope_worker')])"
    assert done(await run(host, text)).output.strip() == "[]"


async def test_dead_zygote_is_replaced() -> None:
    async with Host(sys.executable, POLICY) as host:
        first = await host.hello()
        os.kill(first.pid, signal.SIGKILL)
        await _until(lambda: not psutil.pid_exists(first.pid) or _is_zombie(first.pid))
        assert done(await run(host, "x = 1"))
        assert (await host.hello()).pid != first.pid


async def test_without_fork_one_process_plays_all_parts() -> None:
    async with Host(sys.executable, Policy(step_seconds=1.5, fork=False)) as host:
        assert "hi" in done(await run(host, "x = print('hi')")).output
        with pytest.raises(WorkerEnded, match="no progress") as caught:
            await run(host, "while True: pass")
        assert caught.value.line_in("/nowhere/kernel.py") == 1
        assert done(await run(host, "x = 1"))


async def test_warm_zygote_takes_over() -> None:
    async with Host(sys.executable, Policy(warm_targets=("cuda:sm_90a",))) as host:
        assert done(await run(host, "x = 1"))
        assert host._warming is not None
        await host._warming
        assert done(await run(host, "x = 1"))


async def test_missing_interpreter() -> None:
    async with Host("/nowhere/python") as host:
        with pytest.raises(UsageError, match="/nowhere/python"):
            await host.hello()


@pytest.mark.parametrize(
    ("tilelang", "told"),
    [
        ("import os; os.kill(os.getpid(), 11)", r"killed by SIGSEGV|exit code -11"),
        (
            "raise OSError('libcudart.so.99: cannot open shared object file')",
            r"OSError: libcudart\.so\.99: cannot open",
        ),
        (
            "__version__ = '0.1.3'",
            r"TileLang 0\.1\.3 is not supported, 0\.1\.13 to 0\.1\.15 are: ModuleNotFoundError: ",
        ),
    ],
)
@pytest.mark.parametrize("fork", [True, False])
async def test_what_is_wrong_with_a_tilelang_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tilelang: str, told: str, fork: bool
) -> None:
    (tmp_path / "tilelang.py").write_text(f"{tilelang}\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    async with Host(sys.executable, Policy(fork=fork)) as host:
        try:
            problem = (await host.hello()).problem
        except WorkerEnded as end:
            problem = str(end)
    assert problem is not None
    assert re.search(told, problem)


async def test_leaving_does_not_wait_for_an_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Ctrl-C in the seconds that TileLang takes to be imported.
    marks = tmp_path / "begun", tmp_path / "ended"
    text = "import pathlib, time\npathlib.Path({!r}).touch()\ntime.sleep(3)\npathlib.Path({!r}).touch()\n"
    (tmp_path / "tilelang.py").write_text(text.format(*map(str, marks)))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    async with Host(sys.executable, POLICY) as host:
        waiting = asyncio.create_task(host.hello())
        await _until(marks[0].exists)
        waiting.cancel()
    assert not marks[1].exists()


async def test_what_is_no_python_interpreter() -> None:
    async with Host("/bin/true", Policy(start_seconds=5)) as host:
        with pytest.raises(WorkerEnded, match="does not start under /bin/true"):
            await host.hello()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_killed_host_leaves_nothing(tmp_path: Path) -> None:
    script = textwrap.dedent("""
        import asyncio, sys
        from tilescope_trace.host import Host
        from tilescope_worker.wire.messages import Job

        async def main():
            async with Host(sys.executable) as host:
                text = "import os, select\\nif not os.fork():\\n    os.setsid()\\nselect.select([], [], [], 60)"
                print((await host.hello()).pid, flush=True)
                async for _ in host.run("/nowhere/k.py", Job("/nowhere/k.py", text, ())):
                    pass

        asyncio.run(main())
    """)
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, env={**os.environ, "TMPDIR": str(tmp_path)}
    )
    assert process.stdout is not None
    zygote = int(process.stdout.readline())
    deadline = time.monotonic() + 20
    while len(psutil.Process(zygote).children(recursive=True)) < 3 and time.monotonic() < deadline:
        time.sleep(0.05)
    family = psutil.Process(zygote).children(recursive=True)
    process.kill()
    process.wait()
    _, alive = psutil.wait_procs(
        [*family, psutil.Process(zygote)] if psutil.pid_exists(zygote) else family, timeout=10
    )
    assert not alive
    assert list(tmp_path.iterdir()) == []


def _descendants() -> set[int]:
    return {p.pid for p in psutil.Process().children(recursive=True) if not _is_zombie(p.pid)}


async def _settled() -> set[int]:
    """Descendants once no more come and go: forkers start and spares are made while a test already runs."""
    seen: set[int] = set()
    while (now := _descendants()) != seen:
        seen = now
        await asyncio.sleep(0.5)
    return seen


def _is_zombie(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return True


async def _until(condition: object, seconds: float = 10.0) -> None:
    assert callable(condition)
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    ("used", "waited", "starved"),
    [(0.0, 60, False), (2.0, 60, False), (12.0, 60, True), (29.0, 180, True), (59.0, 60, False), (20.0, 240, False)],
    ids=["sleeps", "hardly works", "works a little", "works on", "spins", "long enough"],
)
def test_silence_on_a_busy_machine(used: float, waited: float, starved: bool) -> None:
    assert is_starved(used, waited, 60.0) is starved
