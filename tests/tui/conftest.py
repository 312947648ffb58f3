"""Recordings for the browser: sixty numbered statements, whose Python lines are known, through seven passes."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from tests.tui.lifelike import write_gemm
from textual.pilot import Pilot
from textual.strip import Strip

from tilescope_passdiff.tui.app import BrowserApp
from tilescope_passdiff.tui.profiles import NO_PROFILES, Wanted
from tilescope_trace.model import Argument, Finding, Kernel, RecordingInfo, SourceFile, Specialization
from tilescope_trace.store.read import Recording, open_recording
from tilescope_trace.store.write import RecordingWriter
from tilescope_worker.wire.messages import Generated, PassEnded, PassText

PYTHON = "\n".join(
    [
        "import tilelang.language as T",
        '"""A docstring',
        'with def and "quotes" in it"""',
        *[f"step_{line} = T.step({line}){'  # far' * 20 * (line == 14)}" for line in range(4, 41)],
    ]
)
"""Statement ``stmt_i`` of the IR comes from line 10 + i // 10."""

START = ["class Module:", "    def main():", *[f"        stmt_{i} = T.step({i})" for i in range(60)]]


def _with(lines: list[str], **changes: str | None) -> list[str]:
    """``lines`` with statements replaced (``stmt_3="..."``) or left out (None)."""
    result = []
    for line in lines:
        name = line.strip().partition(" ")[0]
        if name not in changes:
            result.append(line)
        elif changes[name] is not None:
            result.append(f"        {name} = {changes[name]}")
    return result


FIRST = _with(START, stmt_30="T.step(31000)")
INNER = _with(FIRST, stmt_5="T.inner(5)")
OUTER = _with(INNER, stmt_50=None, stmt_51="T.outer()")
PASSES = (
    ("tl.Check", None, 0, None, START, START),
    ("tl.First", "pipeline_cuda", 0, None, START, FIRST),
    ("tl.Idle", "pipeline_cuda", 0, None, FIRST, FIRST),
    ("tl.Outer", "pipeline_cuda", 0, None, FIRST, OUTER),
    ("tl.Inner", "pipeline_cuda", 1, 3, FIRST, INNER),
    ("tl.Idle", "pipeline_cuda", 0, None, OUTER, OUTER),
    ("tl.Codegen", None, 0, None, OUTER, OUTER),
)
GENERATED = '#include <cuda.h>\nextern "C" __global__ void main_kernel() {\n  /* a\n  b */ step(1);\n}\n'
ARGUMENTS = {"M": Argument(1024, "call"), "dtype": Argument("f16", "call")}
INFO = RecordingInfo(
    kernel=Kernel(
        name="main",
        qualname="matmul.main",
        line=4,
        form="lazy",
        target="cuda:sm_90a",
        target_origin="command-line",
        stage="lowered",
        status="ok",
        specialization=Specialization("0123456789ab", "call", ARGUMENTS),
    ),
    status="ok",
    lower_ms=165.5,
    record_ms=230.0,
    created="2026-01-02T03:04:05Z",
    tilescope="0.1.0",
    tilelang="0.1.15",
    workspace="/nowhere/project",
)


def _hash(lines: list[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _text(lines: list[str]) -> PassText:
    numbers = [(at, line.split("_")[1].split(" ")[0]) for at, line in enumerate(lines, 1) if "stmt_" in line]
    origins = tuple((at, 0, 10 + int(number) // 10) for at, number in numbers)
    return PassText(0, _hash(lines), "\n".join(lines), ("/nowhere/project/gemm.py",), origins)


def write(path: Path, passes: int = len(PASSES), failed: str | None = None, info: RecordingInfo = INFO) -> Path:
    """A recording of the first ``passes`` passes; with ``failed``, the last of them fails with that error."""
    with RecordingWriter(path) as writer:
        writer.add_source(SourceFile("gemm.py", PYTHON, hashlib.sha256(PYTHON.encode()).hexdigest()))
        for index, (name, phase, depth, parent, before, after) in enumerate(PASSES[:passes]):
            fails = failed is not None and index == passes - 1
            writer.add(_text(before))
            writer.add(_text(after))
            end = (None, 1.5, "failed", failed) if fails else (_hash(after), 1.5, "ok", None)
            changed = before != after and not fails
            writer.add(PassEnded(0, index, name, phase, "both", depth, parent, changed, _hash(before), *end))
        if failed is None:
            writer.add(Generated(0, "cuda", GENERATED))
        writer.finish(info)
    return path


@pytest.fixture(autouse=True)
def _own_choices(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is chosen in a test is not remembered for the person who runs it."""
    monkeypatch.setenv("TILESCOPE_STATE", str(tmp_path / "state"))


@pytest.fixture
def recording(tmp_path: Path) -> Iterator[Recording]:
    """All seven passes."""
    with open_recording(write(tmp_path / "gemm.tscope")) as opened:
        yield opened


@pytest.fixture
def gemm(tmp_path: Path) -> Iterator[Recording]:
    """A made-up GEMM with facts and generated source."""
    with open_recording(write_gemm(tmp_path / "gemm.tscope")) as opened:
        yield opened


@pytest.fixture
def failed_recording(tmp_path: Path) -> Iterator[Recording]:
    """The fourth pass failed, and a finding names line 13."""
    finding = Finding("TS102", "error", "gemm.py", 13, 1, 13, 5, "layouts [conflict]\nsecond line")
    info = replace(INFO, status="failed", kernel=replace(INFO.kernel, status="failed", findings=(finding,)))
    with open_recording(write(tmp_path / "failed.tscope", 4, "layouts [conflict]", info)) as opened:
        yield opened


@pytest.fixture
def changed_recording(tmp_path: Path) -> Iterator[Recording]:
    """The kernel file was edited after recording."""
    (tmp_path / "gemm.py").write_text("import tilelang\n")
    with open_recording(write(tmp_path / "gemm.tscope", info=replace(INFO, workspace=str(tmp_path)))) as opened:
        yield opened


@pytest.fixture
def damaged_recording(tmp_path: Path) -> Iterator[Recording]:
    """The texts of the first change are damaged."""
    path = write(tmp_path / "damaged.tscope")
    with sqlite3.connect(path) as database:
        database.execute("UPDATE text SET body = x'00' WHERE hash = ?", (_hash(FIRST),))
    database.close()
    with open_recording(path) as opened:
        yield opened


@pytest.fixture
def empty_recording(tmp_path: Path) -> Iterator[Recording]:
    """The kernel did not elaborate."""
    finding = Finding("TS101", "error", "gemm.py", 13, 1, 13, 5, "name 'block_M' is not defined")
    info = replace(INFO, status="failed", kernel=replace(INFO.kernel, status="failed", findings=(finding,)))
    path = tmp_path / "empty.tscope"
    with RecordingWriter(path) as writer:
        writer.finish(info)
    with open_recording(path) as opened:
        yield opened


@pytest.fixture
def hostile_recording(tmp_path: Path) -> Iterator[Recording]:
    """Control characters, markup and lone surrogates wherever text comes from the recording."""
    evil = "a \x1b[2J \x9b31m \u202e [red] \ud800 \x00"
    info = replace(INFO, kernel=replace(INFO.kernel, qualname="main[red]\x1b[2J", target="cuda:\x1b[2J"))
    path = tmp_path / "hostile.tscope"
    with RecordingWriter(path) as writer:
        writer.add_source(SourceFile("[red]\x1b.py", evil, "0" * 64))
        for name in ("one", "two"):
            writer.add(PassText(0, name, f"{evil}\n{name}"))
        writer.add(PassEnded(0, 0, "tl.[red]\x1b[2J", "[b]\x1b", "both", 0, None, True, "one", "two", 1.0, "ok"))
        writer.add(Generated(0, "cuda\x1b", evil))
        writer.finish(info)
    with open_recording(path) as opened:
        yield opened


class Seen:
    """A running browser: keys in, what a person sees out."""

    def __init__(self, pilot: Pilot[None], app: BrowserApp) -> None:
        self.pilot, self.app = pilot, app

    @property
    def browser(self):
        return self.app.browser

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.settle()

    async def settle(self) -> None:
        """Waits for background work and for its messages to be drawn."""
        await self.app.workers.wait_for_complete()
        await self.pilot.pause()
        await self.app.workers.wait_for_complete()
        await self.pilot.pause()

    def lines(self) -> list[str]:
        """The lines of the whole screen."""
        return [strip.text for strip in self.lines_drawn()]

    def lines_drawn(self) -> list[Strip]:
        """The lines of the whole screen as they go to the terminal."""
        return self.app.screen._compositor.render_strips()

    def pane(self, name: str) -> list[str]:
        """The non-empty lines in view of one pane."""
        view = self.browser.query_one(f"#{name}")
        rows = [view.render_line(y).text[: view.room].rstrip() for y in range(view.size.height)]
        return [row for row in rows if row]

    def line(self, name: str, part: str) -> str:
        """The only line of a pane with ``part`` in it."""
        found = [line for line in self.pane(name) if part in line]
        assert len(found) == 1, f"{part!r} in {found}"
        return found[0]

    def shown(self, name: str) -> bool:
        """Whether a pane takes room on the screen."""
        view = self.browser.query_one(f"#{name}")
        return bool(view.display and view.region.area)

    def title(self, name: str) -> str:
        """The heading of a pane."""
        return self.browser.query_one(f"#{name}")._caption


@pytest.fixture
def watch() -> Callable[..., object]:
    """``async with watch(recording, size=(120, 40)) as seen`` runs the browser without a terminal."""

    @asynccontextmanager
    async def run(
        recording: Recording, size: tuple[int, int] = (120, 40), profiles: Wanted = NO_PROFILES
    ) -> AsyncIterator[Seen]:
        app = BrowserApp(recording, profiles=profiles)
        async with app.run_test(size=size) as pilot:
            seen = Seen(pilot, app)
            await seen.settle()
            yield seen

    return run
