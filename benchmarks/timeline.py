"""The Timeline screen on profiles of 200 MB: what a person waits for once a profile is read, and with each key.

    python benchmarks/timeline.py [--megabytes 200] [--keep FOLDER] [KIND ...]

Budgets: first paint ≤ 500 ms after the import (from the key to the first frame with lanes), a step of panning or
zooming ≤ 16 ms to its frame at the 95th percentile. The import itself runs in a thread; benchmarks/profile_import.py
measures it. Each kind of profile is measured in a process of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from textual.screen import Screen

from tilescope_passdiff.tui.app import BrowserApp, keep_frames_short
from tilescope_passdiff.tui.profiles import Wanted
from tilescope_passdiff.tui.screens.timeline import Timeline
from tilescope_trace.store.read import open_recording
from traces import write
from tui import Frames, resident_mb

RECORDING = Path(__file__).parents[1] / "tests" / "data" / "profiles" / "h200" / "gemm.tscope"
SIZE = (160, 50)
BUDGETS = {"first paint ms": 500.0, "pan p95 ms": 16.0, "zoom p95 ms": 16.0}


class Painted(Frames):
    """Also notes when lanes were first seen."""

    first = 0.0

    def display(self, screen: Screen[object], renderable: Any) -> None:
        super().display(screen, renderable)
        if not self.first and isinstance(screen, Timeline) and screen.is_mounted and screen.lanes.count:
            self.first = time.perf_counter()


async def measured(path: Path) -> dict[str, float]:
    """Read ``path`` in the browser, show it, and press keys."""
    keep_frames_short()
    started = time.perf_counter()
    with open_recording(RECORDING) as recording:
        app = BrowserApp(recording, profiles=Wanted((path,)))
        async with app.run_test(size=SIZE) as pilot:
            frames = Painted(app)
            await app.workers.wait_for_complete()
            await pilot.pause()
            found = {"read s": time.perf_counter() - started}
            first = time.perf_counter()
            app.browser.action_timeline()
            while not frames.first:
                await asyncio.sleep(0.001)
            found["first paint ms"] = (frames.first - first) * 1000
            await app.workers.wait_for_complete()
            await pilot.pause()
            await pilot.press("1", *"wwww")
            for name, keys in (("pan", "ddddddddddaaaaaaaaaa" * 3), ("zoom", "wwwwwwssssss" * 4)):
                taken = []
                for key in keys:
                    if (one := await frames.after(key)) is not None:
                        taken.append(one)
                    await pilot.pause()
                for kind, times in (("", [wall for wall, _ in taken]), (" CPU", [cpu for _, cpu in taken])):
                    found[f"{name}{kind} p95 ms"] = sorted(times)[int(len(times) * 0.95)]
            found["slices"] = float(len(app.screen.attached.profile.slices))  # type: ignore[attr-defined]
            found["RSS MB"] = resident_mb()
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=str(__doc__).split("\n")[0])
    parser.add_argument("kinds", nargs="*", default=["kineto", "trace-view", "simulator"], metavar="KIND")
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--keep", type=Path, help="a folder for the profiles; made there if they are not there")
    parser.add_argument("--part", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.part:
        print(json.dumps(asyncio.run(measured(arguments.part))))
        return 0
    code = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind in arguments.kinds:
            path = (arguments.keep or Path(folder)) / f"{kind}-{arguments.megabytes}.json"
            if not path.exists():
                write(kind, path, arguments.megabytes * 1_000_000)
            command = [sys.executable, __file__, "--part", str(path)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            for name, value in json.loads(done.stdout).items():
                budget = BUDGETS.get(name)
                print(f"{kind:<12}{name:<18}{value:10.1f}" + (f"  (budget {budget:.0f})" if budget else ""))
                code |= int(budget is not None and value > budget)
    return code


if __name__ == "__main__":
    sys.exit(main())
