"""The Timeline screen on profiles of 200 MB: what a person waits for once a profile is read, and with each key.

    python benchmarks/timeline.py [--runs 5] [--megabytes 200] [--keep FOLDER] [KIND ...]

First paint is after the import, from the key to the first frame with lanes; the import itself runs in a thread, and
benchmarks/profile_import.py measures it. Each run is a process of its own; keys are those of all.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from textual.screen import Screen

from figures import Figure, options, report
from tilescope_passdiff.tui.app import BrowserApp, keep_frames_short
from tilescope_passdiff.tui.profiles import Wanted
from tilescope_passdiff.tui.screens.timeline import Timeline
from tilescope_trace.store.read import open_recording
from traces import kept
from tui import Frames, resident_mb

RECORDING = Path(__file__).parents[1] / "tests" / "data" / "profiles" / "h200" / "gemm.tscope"
SIZE = (160, 50)
KINDS = ("kineto", "trace-view", "simulator")


class Painted(Frames):
    """Also notes when lanes were first seen."""

    first = 0.0

    def display(self, screen: Screen[object], renderable: Any) -> None:
        super().display(screen, renderable)
        if not self.first and isinstance(screen, Timeline) and screen.is_mounted and screen.lanes.count:
            self.first = time.perf_counter()


async def measured(path: Path) -> dict[str, list[float]]:
    """Read ``path`` in the browser, show it, and press keys."""
    keep_frames_short()
    started = time.perf_counter()
    with open_recording(RECORDING) as recording:
        app = BrowserApp(recording, profiles=Wanted((path,)))
        async with app.run_test(size=SIZE) as pilot:
            frames = Painted(app)
            await app.workers.wait_for_complete()
            await pilot.pause()
            found = {"read": [time.perf_counter() - started]}
            first = time.perf_counter()
            app.browser.action_timeline()
            while not frames.first:
                await asyncio.sleep(0.001)
            found["paint"] = [(frames.first - first) * 1000]
            await app.workers.wait_for_complete()
            await pilot.pause()
            await pilot.press("1", *"wwww")
            for name, keys in (("pan", "ddddddddddaaaaaaaaaa" * 3), ("zoom", "wwwwwwssssss" * 4)):
                found[name] = []
                for key in keys:
                    if (one := await frames.after(key)) is not None:
                        found[name].append(one[0])
                    await pilot.pause()
            found["slices"] = [len(app.screen.attached.profile.slices)]  # type: ignore[attr-defined]
            found["memory"] = [resident_mb()]
    return found


def measure(kind: str, path: Path, runs: int) -> Iterator[Figure]:
    found: dict[str, list[float]] = defaultdict(list)
    for _ in range(runs):
        command = [sys.executable, __file__, "--part", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        for name, values in json.loads(done.stdout).items():
            found[name] += values
    size = f"{path.stat().st_size / 1e6:.0f} MB, {found['slices'][0]:,.0f} slices, read in "
    for name in ("paint", "pan", "zoom", "memory"):
        note = f"{size}{statistics.median(found['read']):.1f} s" if name == "paint" else ""
        yield Figure(f"timeline.{name}-{kind}", tuple(found[name]), note=note)


def main() -> int:
    parser = options(__doc__)
    parser.add_argument("kinds", nargs="*", choices=[*KINDS, []], metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--keep", type=Path, help="a folder for the profiles; made there if they are not there")
    parser.add_argument("--part", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.part:
        print(json.dumps(asyncio.run(measured(given.part))))
        return 0
    code = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind in given.kinds or KINDS:
            path = kept(kind, given.keep or Path(folder), given.megabytes)[0]
            code |= report(measure(kind, path, given.runs), given.json)
    return code


if __name__ == "__main__":
    sys.exit(main())
