"""Reports opened in Chromium."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.recordings import INFO, REAL_GEMM, text_hash

from tilescope_passdiff.render.html import report_html
from tilescope_trace.model import SourceFile
from tilescope_trace.profile.overlay import overlays
from tilescope_trace.store.read import open_recording
from tilescope_trace.store.write import RecordingWriter
from tilescope_worker.wire.messages import Generated, GeneratedLine, PassBegan, PassEnded, PassText

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
Open = Callable[..., Any]


@pytest.fixture(scope="session")
def sourced_gemm(real_gemm: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recording ``real_gemm`` with its Python source and a description."""
    path = tmp_path_factory.mktemp("sourced") / "gemm.tscope"
    file = str(real_gemm.with_name("gemm.py"))
    with open_recording(real_gemm) as real, RecordingWriter(path) as writer:
        writer.add_source(SourceFile(file, REAL_GEMM, text_hash(REAL_GEMM)))
        for one in real.passes:
            writer.add(PassBegan(0, one.index, one.name, one.phase, one.depth, one.parent))
            for name in (one.before, one.after):
                origins = real.line_map(name).origins
                lines = tuple((line, 0, origin.line) for line, found in origins.items() for origin in found)
                writer.add(PassText(0, name, real.text(name), (file,), lines))
            times = (one.duration_ms, one.status)
            texts = (one.before, one.after)
            told = (one.name, one.phase, one.module, one.depth, one.parent, one.changed)
            writer.add(PassEnded(0, one.index, *told, *texts, *times))
        places = tuple(
            GeneratedLine(line.line, tuple((0, origin.line) for origin in line.origins), line.role)
            for line in real.generated_lines()
        )
        writer.add(Generated(0, "cuda", real.generated() or "", (file,), places))
        writer.finish(dataclasses.replace(INFO, workspace=None))
    return path


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A browser for the tests of a module: while it is there, an event loop runs, and others must not start one."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("needs Chromium: apt-get install chromium")
    pytest.importorskip("playwright", reason="needs playwright: pip install playwright")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium: Any, tmp_path: Path) -> Iterator[Open]:
    """``opened(recording, at="#pass=3", overlaid=(profiles, codes), **context)``: the report of a recording in a new
    page. Errors, messages of the console and requests other than the page itself fail the test at its end."""
    said: list[str] = []
    contexts: list[Any] = []

    def open_(
        recording: Path, at: str = "", overlaid: tuple[Sequence[Path], Sequence[Path]] = ((), ()), **context: Any
    ) -> Any:
        html = tmp_path / "report.html"
        with open_recording(recording) as read:
            profiles = overlays(overlaid[0], read, overlaid[1])
            html.write_text(report_html(read, profiles), encoding="utf-8")
        contexts.append(chromium.new_context(**{"viewport": {"width": 1400, "height": 900}, **context}))
        page = contexts[-1].new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: said.append(f"error: {error}"))
        page.on("console", lambda message: said.append(f"console: {message.text}"))
        page.on(
            "request",
            lambda request: said.append(request.url) if request.url.split("#")[0] != html.as_uri() else None,
        )
        page.goto(html.as_uri() + at)
        page.wait_for_selector("body.ready")
        return page

    yield open_
    for context in contexts:
        context.close()
    assert said == []
