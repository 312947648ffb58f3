"""Draws the pictures of README.md from real output: ``make pictures``."""

from __future__ import annotations

import asyncio
import io
import os
import tempfile
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI

from tilescope.bundled import bundled_snapshot
from tilescope.session import Session
from tilescope.text.source import hinted_source
from tilescope_passdiff.render.layout import layout_svg
from tilescope_passdiff.render.timeline import Shown, timeline_text
from tilescope_passdiff.tui.app import BrowserApp, TilescopeApp
from tilescope_passdiff.tui.profiles import Wanted
from tilescope_passdiff.tui.screens.compare import CompareScreen
from tilescope_trace.layouts.cells import grid_of
from tilescope_trace.model import Kernel, Options
from tilescope_trace.profile.correlate import correlate
from tilescope_trace.profile.load import load_profiles
from tilescope_trace.profile.placed import Codes, placed
from tilescope_trace.profile.recorded import recorded_kernel
from tilescope_trace.profile.timeline import timeline_file
from tilescope_trace.store.read import open_recording
from tilescope_trace.store.select import find_pass

IMAGES = Path(__file__).parent / "images"
PROFILES = Path(__file__).parent.parent / "tests/data/profiles/h200"
SHOWN_PASS = "tl.LowerTileOp"


async def main() -> None:
    """Record the bundled GEMM once and draw it as hints and in the browser."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "gemm.tscope"
        snapshot = bundled_snapshot("gemm")
        # The colours of whoever draws it are his own.
        os.environ["TILESCOPE_STATE"] = folder
        async with Session(None, snapshot.path) as session:
            info = await session.recording(snapshot, Options(targets=("cuda:sm_90a",)), path)
        draw_hints(info.kernel)
        draw_layouts(info.kernel)
        await draw_browser(path)
        await draw_comparison(PROFILES / "gemm_k4100.tscope", PROFILES / "gemm_k4104.tscope")
    draw_timeline()
    stamps, samples = Wanted((PROFILES / "gemm_stamps.json.gz",)), PROFILES / "gemm_ncu_source_sass.csv.gz"
    to_a_loop = (*["j"] * 4, *["right"] * 9, "f", "s", "s", "s")
    await draw_measured("view-timeline", stamps, ("T", *to_a_loop, "5"))
    await draw_measured("view-heat", Wanted((samples,), (PROFILES / "gemm.cubin",)), ("p", "p"))


def draw_hints(kernel: Kernel) -> None:
    """The kernel's source with its hints."""
    console = Console(record=True, width=148, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    for line in hinted_source(bundled_snapshot("gemm"), kernel):
        console.print(line)
    svg = console.export_svg(title="gemm.py for cuda:sm_90a", theme=MONOKAI)
    write("hints", svg)


def draw_layouts(kernel: Kernel) -> None:
    """A swizzled operand and the accumulator, as far as they do not repeat."""
    parts = {"A_shared": ("layout-shared", slice(0, 64)), "C_local": ("layout-fragment", slice(0, 32))}
    for buffer in kernel.buffers:
        if buffer.name in parts:
            name, columns = parts[buffer.name]
            write(name, layout_svg(grid_of(buffer, kernel.target, slice(0, 16), columns)))


def draw_timeline() -> None:
    """Profiles of an H200, joined with the recording of their kernel."""
    recorded = PROFILES / "gemm.tscope"
    with open_recording(recorded) as recording:
        known = [recorded_kernel(recording)]
        files = []
        for name in ("gemm_torch.json.gz", "gemm_ncu_source_sass.csv.gz"):
            (profile,) = load_profiles(PROFILES / name)
            joins = correlate(profile, known)
            code = Codes((PROFILES / "gemm.cubin",))
            on_lines = placed(profile, joins, {recorded: recording}, code)
            files.append(replace(timeline_file(profile, joins, on_lines), file=name))
    console = Console(record=True, width=104, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(timeline_text(files, Shown()))
    write("timeline", console.export_svg(title="tilescope timeline", theme=MONOKAI))


async def draw_measured(name: str, profiles: Wanted, keys: tuple[str, ...]) -> None:
    """The browser with profiles of an H200 over the recording, after some keys."""
    with open_recording(PROFILES / "gemm.tscope") as recording:
        app = BrowserApp(recording, profiles=profiles)
        async with app.run_test(size=(130, 42), notifications=True) as pilot:
            await app.workers.wait_for_complete()
            await pilot.pause()
            app.clear_notifications()
            for key in keys:
                await pilot.press(key)
                await app.workers.wait_for_complete()
            await pilot.pause(0.5)
            write(name, app.export_screenshot(title="tilescope view --profile"))


async def draw_browser(path: Path) -> None:
    """The browser at the pass that lowers tile operations."""
    with open_recording(path) as recording:
        app = BrowserApp(recording)
        async with app.run_test(size=(150, 42)) as pilot:
            await app.workers.wait_for_complete()
            app.browser.go_to_pass(recording.passes.index(find_pass(recording, SHOWN_PASS)))
            await app.workers.wait_for_complete()
            await pilot.pause()
            # On to the copies, whose Python lines are known.
            await pilot.press("tab", *["right_square_bracket"] * 3)
            await app.workers.wait_for_complete()
            await pilot.pause(0.5)
            write("view", app.export_screenshot(title="tilescope view"))


async def draw_comparison(a: Path, b: Path) -> None:
    """Two recordings at the first pass behind which they differ in more than constants."""
    with open_recording(a) as old, open_recording(b) as new:
        app = TilescopeApp(CompareScreen(old, new))
        async with app.run_test(size=(150, 36)) as pilot:
            await app.workers.wait_for_complete()
            await pilot.press("n", "n")
            await app.workers.wait_for_complete()
            await pilot.pause(0.5)
            write("compare", app.export_screenshot(title="tilescope view gemm_k4100.tscope gemm_k4104.tscope"))


def write(name: str, svg: str) -> None:
    """Keep a picture among the images of the documentation."""
    # Without the attribute some viewers collapse the blanks that indent code.
    svg = svg.replace("<svg ", '<svg xml:space="preserve" ', 1)
    (IMAGES / f"{name}.svg").write_text(
        "\n".join(line.rstrip() for line in svg.splitlines()) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    asyncio.run(main())
