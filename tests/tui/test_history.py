"""The history of a line or a buffer."""

from __future__ import annotations

from tilescope_passdiff.tui.screens.history import HistoryScreen


async def test_h_tells_the_life_of_a_buffer_with_its_layout(gemm, watch):
    async with watch(gemm, size=(150, 50)) as seen:
        await seen.press("i")
        seen.browser.facts.focus()
        await seen.press("slash", *"A_shared", "enter", "h")
        assert isinstance(seen.app.screen, HistoryScreen)
        shown = "\n".join(seen.lines())
        assert "History of A_shared" in shown
        assert "created at gemm.py:10: float16 [128, 32] in shared.dyn" in shown
        assert "multi-versioned: [128, 32] to [3, 128, 32], 3 stages" in shown
        assert "the first bank of each 16 bytes" in shown
        await seen.press("j")
        assert "(3, 128, 32)" in "\n".join(seen.lines()), "the part of the diff that is about it"
        await seen.press("enter")
        assert seen.app.screen is seen.browser
        assert seen.title("text").startswith("3 tl.InjectSoftwarePipeline")


async def test_h_tells_the_life_of_a_line(gemm, watch):
    async with watch(gemm, size=(120, 40)) as seen:
        await seen.press("tab", "f", "slash", *"T.gemm", "enter", "h")
        shown = "\n".join(seen.lines())
        assert "History of gemm.py:" in shown
        assert "created: " in shown
        await seen.press("escape")
        assert seen.app.screen is seen.browser


async def test_a_damaged_recording_is_one_message(damaged_recording, watch):
    async with watch(damaged_recording) as seen:
        await seen.press("tab", "tab", "home", *["j"] * 12, "h")
        assert "checksum" in "\n".join(seen.lines())
        await seen.press("escape")
        assert seen.app.screen is seen.browser
