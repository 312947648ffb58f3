"""Exports, the editor, and recording again."""

from __future__ import annotations

import subprocess
import threading
from dataclasses import replace

import pytest
from tests.recordings import GEMM, SOURCE
from tests.tui.conftest import INFO, Seen, write
from tests.tui.lifelike import write_gemm

from tilescope_passdiff.tui.app import BrowserApp
from tilescope_passdiff.tui.editor import editor_command
from tilescope_passdiff.tui.watching import Watched
from tilescope_trace.errors import UsageError
from tilescope_trace.store.read import open_recording


@pytest.mark.parametrize(
    ("editor", "words"),
    [
        ("sh", ["sh", "+7", "/a b.py"]),
        ("sh -c 'x y'", ["sh", "-c", "x y", "+7", "/a b.py"]),
    ],
)
def test_editors_get_the_line(tmp_path, editor, words):
    command = editor_command({"EDITOR": editor}, tmp_path.__class__("/a b.py"), 7)
    assert command == words


def test_editors_have_their_own_ways(tmp_path, monkeypatch):
    for name in ("code", "hx", "nvim"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    file = tmp_path / "k.py"
    assert editor_command({"EDITOR": "vi", "VISUAL": "code -w"}, file, 3)[1:] == ["-w", "--goto", f"{file}:3"]
    assert editor_command({"EDITOR": "hx"}, file, 3) == ["hx", f"{file}:3"]
    assert editor_command({"EDITOR": "nvim"}, file, 3) == ["nvim", "+3", str(file)]


@pytest.mark.parametrize("environment", [{}, {"EDITOR": "no-such-editor"}, {"EDITOR": "vi 'x"}, {"EDITOR": " "}])
def test_without_an_editor_it_says_so(tmp_path, environment):
    with pytest.raises(UsageError, match="EDITOR"):
        editor_command(environment, tmp_path / "k.py", 1)


async def test_e_without_the_file_or_an_editor_is_a_message(recording, watch, monkeypatch):
    monkeypatch.delenv("EDITOR", raising=False)
    monkeypatch.delenv("VISUAL", raising=False)
    async with watch(recording) as seen:
        await seen.press("tab", "e")
        assert ["is not on this machine" in toast.message for toast in seen.app._notifications] == [True]


async def test_x_writes_hunk_pass_and_page(gemm, watch, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    async with watch(gemm) as seen:
        await seen.press("p", "p")
        for typed in ("hunk", "pass as", "behind", "generated", "page"):
            await seen.press("tab", "x", *typed, "enter", "enter")
        written = {path.name: path.read_text() for path in tmp_path.iterdir() if path.suffix != ".tscope"}
    assert set(written) == {
        "gemm-1-tirx.BindTarget-hunk.diff",
        "gemm-1-tirx.BindTarget.diff",
        "gemm-1-tirx.BindTarget.py",
        "gemm.cu",
        "gemm.html",
    }
    assert written["gemm.html"].startswith("<!doctype html>")
    assert written["gemm-1-tirx.BindTarget.py"] == gemm.text(gemm.passes[1].after) + "\n"
    (tmp_path / "before.py").write_text(gemm.text(gemm.passes[1].before) + "\n")
    patch = written["gemm-1-tirx.BindTarget-hunk.diff"]
    done = subprocess.run(["patch", "before.py"], input=patch, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout
    assert (tmp_path / "before.py").read_text() == written["gemm-1-tirx.BindTarget.py"]


async def test_an_export_replaces_nothing(gemm, watch, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gemm.html").write_text("mine")
    async with watch(gemm) as seen:
        await seen.press("x", *"page", "enter", "enter")
        assert any("exists; choose another name" in toast.message for toast in seen.app._notifications)
        await seen.press("x", "escape")
        await seen.press("x", *"page", "enter", "escape")
    assert (tmp_path / "gemm.html").read_text() == "mine"


async def test_R_reads_again_and_keeps_the_place(tmp_path):
    path = write(tmp_path / "gemm.tscope", 4)
    app = BrowserApp(open_recording(path))
    async with app.run_test(size=(120, 40)) as pilot:
        seen = Seen(pilot, app)
        await seen.settle()
        await seen.press("n", "tab", "f", "d", "slash", *"stmt_50", "enter")
        assert seen.title("text").startswith("3 tl.Outer")
        write(tmp_path / "gemm.tscope")
        await seen.press("R")
        await seen.settle()
        assert seen.title("passes") == "Passes · 3 changed · 4 hidden"
        assert seen.title("text").startswith("3 tl.Outer")
        assert seen.app.focused.id == "text"
        assert "stmt_50" in seen.line("text", "▶")
        assert seen.browser.reading.full
        assert seen.browser.reading.split
        app.browser.recording.close()


async def test_a_saved_source_is_recorded_again(tmp_path):
    kernel = tmp_path / "gemm.py"
    kernel.write_text(SOURCE)
    path = write_gemm(tmp_path / "gemm.tscope", GEMM[:4], source=SOURCE, workspace=str(tmp_path))
    recorded = []

    def record():
        recorded.append(kernel.read_text())
        if "broken" in recorded[-1]:
            raise UsageError("gemm.py does not hold matmul now")
        return write_gemm(path, source=recorded[-1], workspace=str(tmp_path))

    app = BrowserApp(open_recording(path), watched=Watched(kernel, record, automatic=True))
    async with app.run_test(size=(120, 40)) as pilot:
        seen = Seen(pilot, app)
        await seen.settle()
        await seen.press("n")
        before = seen.title("text")
        kernel.write_text("# broken\n")
        await _until(seen, lambda: any("does not hold matmul" in toast.message for toast in app._notifications))
        assert "✗ the saved text cannot be recorded, this is the one before" in seen.lines()[0]
        kernel.write_text("# new\n" + SOURCE)
        await _until(seen, lambda: len(app.browser.recording.passes) == len(GEMM))
        await seen.settle()
        assert seen.title("text") == before
        assert "# new" in seen.browser.source.source.lines
        assert "✓ ok" in seen.lines()[0]
        app.browser.recording.close()
    assert [text.split("\n")[0] for text in recorded] == ["# broken", "# new"]


async def test_saved_again_while_it_is_recorded_the_last_text_is_shown_and_no_error_told(tmp_path):
    kernel = tmp_path / "gemm.py"
    kernel.write_text("# while the first was recorded\n")
    path = write_gemm(tmp_path / "gemm.tscope", source=SOURCE, workspace=str(tmp_path))
    overtaken, recorded = threading.Event(), []

    def record():
        recorded.append(kernel.read_text())
        if len(recorded) == 1:
            assert overtaken.wait(20)
            return None
        overtaken.set()
        return write_gemm(path, source=recorded[-1], workspace=str(tmp_path))

    app = BrowserApp(open_recording(path), watched=Watched(kernel, record, automatic=True))
    async with app.run_test(size=(120, 40)) as pilot:
        seen = Seen(pilot, app)
        await _until(seen, lambda: len(recorded) == 1)
        await _until(seen, lambda: "… recording the saved text" in seen.lines()[0])
        kernel.write_text("# last\n" + SOURCE)
        await _until(seen, lambda: "# last" in getattr(app.browser.source.source, "lines", ()))
        assert "✓ ok" in seen.lines()[0]
        assert [toast.message for toast in app._notifications if toast.severity == "error"] == []
        app.browser.recording.close()
    assert [text.split("\n")[0] for text in recorded] == ["# while the first was recorded", "# last"]


async def _until(seen: Seen, condition) -> None:
    for _ in range(200):
        if condition():
            return
        await seen.pilot.pause(0.05)
    pytest.fail("it did not come")


async def test_a_recording_that_fails_now_says_where(tmp_path):
    path = write(tmp_path / "gemm.tscope")
    app = BrowserApp(open_recording(path))
    async with app.run_test(size=(120, 40)) as pilot:
        seen = Seen(pilot, app)
        await seen.settle()
        write(path, 4, "layouts conflict", replace(INFO, status="failed"))
        await seen.press("R")
        await seen.settle()
        assert any("failed in tl.Outer" in toast.message for toast in app._notifications)
        assert "✗ failed in tl.Outer" in seen.lines()[0]
        app.browser.recording.close()


async def test_a_note_that_is_written_is_not_lost_when_the_kernel_is_recorded_again(tmp_path):
    path = write(tmp_path / "gemm.tscope", 4)
    app = BrowserApp(open_recording(path))
    async with app.run_test(size=(120, 40)) as pilot:
        seen = Seen(pilot, app)
        await seen.settle()
        await seen.press("tab", "a", *"half a")
        write(path)
        app.again()
        await seen.settle()
        assert any("once you are back" in toast.message for toast in app._notifications)
        await seen.press(*" note", "enter")
        assert [note.text for note in app.browser.notes] == ["half a note"]
        assert seen.title("passes") == "Passes · 3 changed · 4 hidden", "all seven passes of the new one"
        app.browser.recording.close()
