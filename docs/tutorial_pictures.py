"""Draws the pictures of the tutorials and of the Ascend page from real output: ``make pictures``."""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path

from pictures import write

from tilescope.session import Session
from tilescope_passdiff.render.layout import layout_svg
from tilescope_passdiff.tui.app import BrowserApp
from tilescope_trace.files import read_snapshot
from tilescope_trace.layouts.cells import grid_of
from tilescope_trace.model import Kernel, Options
from tilescope_trace.store.read import open_recording
from tilescope_trace.store.select import find_pass

DOCS = Path(__file__).parent
GEMM = DOCS.parent / "examples/gpu/gemm.py"
MATMUL = DOCS.parent / "examples/ascend/matmul.py"
CONFLICT = DOCS.parent / "tests/kernels/half_attention.py"
DECIDING_PASS = "tl.ProducerConsumerWarpSpecialized"
OPTIONS = Options(targets=("cuda:sm_90a",))


async def main() -> None:
    """The browser at the pass that chooses between TMA and registers; both sides of a conflict; a fractal."""
    with tempfile.TemporaryDirectory() as folder:
        # The colours of whoever draws it are his own.
        os.environ["TILESCOPE_STATE"] = folder
        path, slow = Path(folder) / "slow.tscope", Path(folder) / "gemm.py"
        slow.write_text(GEMM.read_text(encoding="utf-8").replace("K=4096\n", "K=4100\n"), encoding="utf-8")
        async with Session(None, GEMM) as session:
            await session.recording(read_snapshot(slow), OPTIONS, path)
            conflict = (await session.facts(read_snapshot(CONFLICT), OPTIONS)).kernels[0]
            matmul = (await session.facts(read_snapshot(MATMUL), Options())).kernels[0]
        await draw_browser(path)
    draw_layout(conflict, "scores", 8)
    draw_layout(conflict, "weights", 8)
    draw_layout(matmul, "A_l1", 18)


def draw_layout(kernel: Kernel, name: str, rows: int) -> None:
    """The first rows of a buffer."""
    buffer = next(buffer for buffer in kernel.buffers if buffer.name == name)
    write(f"layout-{name.lower()}", layout_svg(grid_of(buffer, kernel.target, slice(0, rows), slice(0, 64))))


async def draw_browser(path: Path) -> None:
    """The browser at the pass that decides, its diff scrolled to the copies."""
    with open_recording(path) as recording:
        app = BrowserApp(recording)
        async with app.run_test(size=(150, 42)) as pilot:
            await app.workers.wait_for_complete()
            app.browser.go_to_pass(recording.passes.index(find_pass(recording, DECIDING_PASS)))
            await app.workers.wait_for_complete()
            await pilot.pause()
            await pilot.press("tab", *["right_square_bracket"] * 7, *["down"] * 19, *["up"] * 5)
            await app.workers.wait_for_complete()
            await pilot.pause(0.5)
            write("slow-view", app.export_screenshot(title="tilescope view slow.tscope"))


if __name__ == "__main__":
    asyncio.run(main())
