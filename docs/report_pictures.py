"""Takes the pictures of docs/report.md in Chromium: ``python docs/report_pictures.py GEMM.tscope``."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from tilescope_passdiff.render.html import report_html
from tilescope_trace.profile.overlay import overlays
from tilescope_trace.store.read import open_recording
from tilescope_trace.store.select import find_pass

IMAGES = Path(__file__).parent / "images"
SAMPLED = Path(__file__).parents[1] / "tests" / "data" / "profiles" / "h200"
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
SHOWN_PASS = "tl.LowerTileOp"
GEMM_LINE = 25


def main(recording: Path) -> None:
    """The page at the pass that lowers tile operations, with the line of the gemm: light, dark with facts, narrow."""
    from playwright.sync_api import sync_playwright

    with open_recording(recording) as opened, tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        page.write_text(report_html(opened), encoding="utf-8")
        address = f"{page.as_uri()}#pass={find_pass(opened, SHOWN_PASS).index}&at=0:{GEMM_LINE}"
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
            _take(browser, address, "report", "light", (1400, 860))
            _take(browser, address, "report-facts", "dark", (1400, 860), keys=("s", "5"), layout=True)
            _take(browser, address, "report-narrow", "light", (400, 760))
            _take(
                browser,
                _profiled(Path(folder) / "profiled.html"),
                "report-profile",
                "light",
                (1400, 760),
                keys=("h",),
            )
            browser.close()


def _profiled(page: Path) -> str:
    """The address of a page with samples of an H200 over it."""
    with open_recording(SAMPLED / "gemm.tscope") as opened:
        profiles = overlays([SAMPLED / "gemm_ncu_source_sass.csv.gz"], opened, [SAMPLED / "gemm.cubin"])
        page.write_text(report_html(opened, profiles), encoding="utf-8")
        return f"{page.as_uri()}#pass={find_pass(opened, SHOWN_PASS).index}"


def _take(
    browser: Any,
    address: str,
    name: str,
    scheme: str,
    size: tuple[int, int],
    keys: tuple[str, ...] = (),
    layout: bool = False,
) -> None:
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
    page.goto(address)
    page.wait_for_selector("body.ready")
    for key in keys:
        page.keyboard.press(key)
    if layout:
        page.locator("#facts summary").first.click()
        page.wait_for_selector("#facts .picture")
    page.screenshot(path=IMAGES / f"{name}.png")
    page.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
