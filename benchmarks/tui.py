"""The terminal browser on a recording of 200 passes and 50 MB of IR, made up of one long kernel.

    python benchmarks/tui.py [--runs 5] [--keep FILE] [--profile paint|keys]

First paint is the CPU time from opening the recording to the diff on the screen; imports are told apart, as is the
start of Python. Key to frame is wall time of all keys of all sessions. Each run is a process of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import hashlib
import json
import os
import pstats
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from textual import events
from textual.screen import Screen

from figures import Figure, options, p95, report
from tilescope_passdiff.tui.app import BrowserApp, keep_frames_short
from tilescope_passdiff.tui.everywhere import everywhere
from tilescope_passdiff.tui.search import Query
from tilescope_trace.model import Argument, Buffer, Kernel, RecordingInfo, SourceFile, Specialization
from tilescope_trace.store.read import open_recording
from tilescope_trace.store.write import RecordingWriter
from tilescope_worker.wire.messages import BufferState, Generated, PassEnded, PassText

PASSES, STATEMENTS, SOURCE_LINES = 200, 3400, 300
NEEDLE, MIDDLE = "needle_in_the_last_pass", "needle_in_the_middle"
SIZE = (160, 50)
KEYS = [*"nnnpp", "tab", *"jjjjjjjj", "pagedown", "pagedown", "pageup", *["right_square_bracket"] * 4, *"fdf", "d"]
KEYS += ["end", "home", "tab", *"jjjjjj", "shift+tab", "shift+tab", *"nnjjjjkk"]


Line = tuple[str, int]
"""A line of IR and the Python line that it comes from, 0 for none."""


def texts() -> Iterator[list[Line]]:
    """The text before the first pass and after each: every pass rewrites some statements, adds and removes others."""
    lines: list[Line] = [("class Module:", 0), ("    @T.prim_func", 0), ("    def main(A: T.handle):", 0)]
    lines += [
        (
            f"        buf_{i % 40}[i0_{i}, {i % 128}] = T.copy(A[bx * 128 + {i}, k * 32 + {i % 7}], T.float16({i}))",
            1 + i * SOURCE_LINES // STATEMENTS,
        )
        for i in range(STATEMENTS)
    ]
    yield lines
    for step in range(PASSES):
        lines = list(lines)
        for change in range(60):
            at = 3 + (step * 997 + change * 53) % (len(lines) - 3)
            call = f"T.tma_load(buf_{change % 40}[{step}, {change}], T.float16({at}))"
            lines[at] = (f"        stmt_{step}_{change} = {call}", lines[at][1])
        del lines[10 + step : 12 + step]
        lines[100 + step : 100 + step] = [(f"        added_{step} = T.evaluate({step})", 7)] * 2
        if step == PASSES // 2:
            lines[-9] = (f"        {MIDDLE} = T.evaluate(0)", 8)
        if step == PASSES // 2 + 1:
            lines[-9] = ("        pass", 8)
        if step == PASSES - 1:
            lines[-5] = (f"        {NEEDLE} = T.evaluate(0)", 8)
        yield lines


def write(path: Path) -> int:
    """Write the recording; the bytes of its distinct texts."""
    total = 0
    python = "\n".join(f"T.copy(A[bx * {line}], B_{line})" for line in range(SOURCE_LINES))

    def text_of(lines: list[Line]) -> tuple[str, PassText]:
        nonlocal total
        text = "\n".join(line for line, _ in lines)
        total += len(text)
        name = hashlib.sha256(text.encode()).hexdigest()
        places = tuple((at, 0, python) for at, (_, python) in enumerate(lines, 1) if python)
        states = tuple(
            BufferState(
                f"buf_{key}",
                key,
                0,
                key + 1,
                (128, 128),
                "float16",
                "shared.dyn",
                (3,),
                tuple(range(4 + key, len(lines), 40)),
                False,
            )
            for key in range(40)
        )
        return name, PassText(0, name, text, ("/nowhere/kernel.py",), places, (), states)

    with RecordingWriter(path) as writer:
        writer.add_source(SourceFile("kernel.py", python, hashlib.sha256(python.encode()).hexdigest()))
        made = texts()
        before, event = text_of(next(made))
        writer.add(event)
        for index, lines in enumerate(made):
            after, event = text_of(lines)
            writer.add(event)
            phase = "lower" if index < PASSES // 2 else "optimize"
            writer.add(
                PassEnded(
                    0,
                    index,
                    f"tl.Pass{index}",
                    phase,
                    "both",
                    0,
                    None,
                    True,
                    before,
                    after,
                    1.0 + index % 9,
                    "ok",
                    None,
                )
            )
            before = after
        writer.add(Generated(0, "cuda", "\n".join(f"  step({i});" for i in range(2000))))
        writer.finish(
            RecordingInfo(
                kernel=Kernel(
                    name="main", qualname="long.main", line=1, form="prim_func", target="cuda:sm_90a",
                    target_origin="default", stage="lowered", status="ok",
                    specialization=Specialization("0" * 12, "call", {"M": Argument(4096, "call")}),
                    buffers=tuple(
                        Buffer(f"buf_{key}", key + 1, 1, (128, 128), "float16", "shared.dyn", 1, 32768)
                        for key in range(40)
                    ),
                ),
                status="ok", lower_ms=900.0, record_ms=1200.0, created="2026-01-01T00:00:00Z", tilescope="0.1.0",
                tilelang="0.1.15", workspace="/nowhere",
            )
        )  # fmt: skip
    return total


def resident_mb() -> float:
    """Resident memory now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


async def settle(app: BrowserApp) -> None:
    """Waits for all background work, what was overtaken meanwhile included."""
    while any(not worker.is_finished for worker in app.workers):
        await asyncio.sleep(0.01)


Part = dict[str, list[float]]
"""What one process measured: values by name."""


async def paint(path: Path) -> Part:
    """CPU of the imports, and from there to the diff of the first pass on the screen."""
    imported = time.process_time()
    with open_recording(path) as recording:
        app = BrowserApp(recording)
        async with app.run_test(size=SIZE) as pilot:
            while not app.browser.text.document.rows:
                await asyncio.sleep(0)
            await pilot.pause(0)
            painted = time.process_time()
            await settle(app)
            await pilot.pause()
            settled = time.process_time()
            return {
                "imports": [imported * 1000],
                "paint": [(painted - imported) * 1000],
                "settled": [(settled - imported) * 1000],
                "memory": [resident_mb()],
            }


class Frames:
    """Draws each frame of a headless app as a terminal would get it, and notes when it was done."""

    def __init__(self, app: BrowserApp) -> None:
        self.app = app
        self.times: list[tuple[float, float]] = []
        app._display = self.display  # type: ignore[method-assign]

    def display(self, _screen: Screen[object], renderable: Any) -> None:
        """What `App._display` does, but for writing to the terminal."""
        if renderable is None:
            return
        if hasattr(renderable, "render_segments"):
            renderable.render_segments(self.app.console)
        else:
            self.app.console._render_buffer(self.app.console.render(renderable))
        self.times.append((time.perf_counter(), time.thread_time()))

    async def after(self, key: str) -> tuple[float, float] | None:
        """Wall time and CPU in ms from the key to the first frame behind it; None where nothing is drawn."""
        self.times.clear()
        started, cpu = time.perf_counter(), time.thread_time()
        self.app._driver.send_message(_event(self.app, key))
        while not self.times and time.perf_counter() - started < 0.2:
            await asyncio.sleep(0)
        if not self.times:
            return None
        wall_end, cpu_end = self.times[0]
        return (wall_end - started) * 1000, (cpu_end - cpu) * 1000


def _event(app: BrowserApp, key: str) -> events.Key:
    event = events.Key(key, key if len(key) == 1 else None)
    event.set_sender(app)
    return event


async def keys(path: Path) -> Part:
    """Time from a key to the first frame that answers it."""
    keep_frames_short()
    taken: list[tuple[float, float, str]] = []
    with open_recording(path) as recording:
        app = BrowserApp(recording)
        frames = Frames(app)
        async with app.run_test(size=SIZE) as pilot:
            await settle(app)
            await pilot.pause()
            for key in KEYS:
                if (found := await frames.after(key)) is not None:
                    taken.append((*found, key))
                await settle(app)
                await pilot.pause()
            rss = resident_mb()
    if os.environ.get("TUI_SLOWEST"):
        print(*(f"{key}:{one:.1f}/{cpu:.1f}" for one, cpu, key in taken), file=sys.stderr)
    return {
        "keys": [wall for wall, _, _ in taken],
        "keys CPU": [cpu for _, cpu, _ in taken],
        "memory": [rss],
    }


async def search(path: Path) -> Part:
    """CPU to the first place of a text: in the last pass, and (told beside) in one pass in the middle."""
    found: Part = {}
    for name, text in (("search", NEEDLE), ("search middle", MIDDLE)):
        with open_recording(path) as recording:
            started = time.thread_time()
            hit = next(one for one in everywhere(recording, Query(text), 0) if one is not None)
            found[name] = [(time.thread_time() - started) * 1000]
            assert hit.count == 1, hit
    return found


PARTS = {"paint": paint, "keys": keys, "search": search}


def measure(path: Path, runs: int) -> Iterator[Figure]:
    found: dict[str, list[float]] = defaultdict(list)
    for _ in range(runs):
        largest = 0.0
        for part in PARTS:
            command = [sys.executable, __file__, "--part", part, "--keep", str(path)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            measured: Part = json.loads(done.stdout)
            largest = max(largest, *measured.pop("memory", [0.0]))
            for name, values in measured.items():
                found[name] += values
        found["memory"].append(largest)
    middle = {name: statistics.median(values) for name, values in found.items()}
    settled = f"imports {middle['imports']:.0f} ms before, all panes settled after {middle['settled']:.0f} ms"
    yield Figure("tui.paint", tuple(found["paint"]), note=settled)
    yield Figure("tui.keys", tuple(found["keys"]), note=f"p95 of CPU {p95(found['keys CPU']):.1f} ms")
    only = f"a text in one pass in the middle {middle['search middle']:.0f} ms"
    yield Figure("tui.search", tuple(found["search"]), note=only)
    yield Figure("tui.memory", tuple(found["memory"]))


def main() -> int:
    parser = options(__doc__)
    parser.add_argument("--keep", type=Path, help="the recording; made there if it is not there")
    parser.add_argument("--profile", choices=list(PARTS), help="where the time goes, instead")
    parser.add_argument("--part", choices=list(PARTS), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.part:
        print(json.dumps(asyncio.run(PARTS[given.part](given.keep))))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        path = given.keep or Path(folder) / "long.tscope"
        if not path.exists():
            print(f"made {write(path) / 1e6:.0f} MB of IR, {path.stat().st_size / 1e6:.1f} MB on disk")
        if given.profile:
            profile = cProfile.Profile()
            profile.runcall(asyncio.run, PARTS[given.profile](path))
            pstats.Stats(profile).sort_stats("tottime").print_stats(35)
            return 0
        return report(measure(path, given.runs), given.json)


if __name__ == "__main__":
    sys.exit(main())
