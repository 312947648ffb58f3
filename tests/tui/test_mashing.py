"""Keys that come faster than they are answered, in windows of any size."""

from __future__ import annotations

import random

import pytest
from textual.events import Key, Resize
from textual.geometry import Size

from tilescope_passdiff.tui.screens.browser import Browser

KEYS = (
    *"jkSsgihocrfdzmaMTHR?/l:xyYnp[]{}<>0123456wvbu+-t",
    *("tab", "shift+tab", "enter", "enter", "escape", "escape", "escape", "down", "up", "left", "right", "space"),
    *("pageup", "pagedown", "home", "end", "ctrl+r", "ctrl+p", "delete", "backspace"),
)
SIZES = ((80, 24), (60, 20), (10, 3), (200, 50), (1, 1), (3, 2), (40, 100), (170, 36))


def send(app, *keys: str) -> None:
    """Puts keys before the browser all at once, as a paste or a held key does."""
    for key in keys:
        app.post_message(Key(key, key if len(key) == 1 else None))


@pytest.mark.parametrize(
    "keys",
    [
        ("question_mark", "escape", "escape", "q"),
        ("colon", "enter", "enter", "enter"),
        ("S", "S", "escape", "escape", "escape"),
        ("x", "enter", "enter", "escape", "escape"),
        ("M", "M", "M", "escape", "escape"),
        ("a", "w", "enter", "enter", "enter"),
        ("h", "escape", "escape", "escape"),
        ("h", "enter", "enter", "enter"),
    ],
    ids=" ".join,
)
async def test_a_screen_is_opened_and_left_once(recording, watch, keys):
    async with watch(recording) as seen:
        await seen.press("enter")
        send(seen.app, *keys)
        await seen.settle()
        for _ in range(3):
            await seen.press("escape")
        assert isinstance(seen.app.screen, Browser)
        assert seen.shown("text")
        assert "tl.First" in seen.line("passes", "tl.First")


@pytest.mark.parametrize("seed", [1, 2])
async def test_any_keys_in_any_window_leave_it_whole(gemm, watch, monkeypatch, tmp_path, seed):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EDITOR", "true")
    chance = random.Random(seed)
    async with watch(gemm) as seen:
        for _ in range(20):
            send(seen.app, *chance.choices(KEYS, k=chance.randint(1, 20)))
            if chance.random() < 0.4:
                size = Size(*chance.choice(SIZES))
                seen.app.post_message(Resize(size, size))
            await seen.pilot.pause()
        size = Size(100, 30)
        seen.app.post_message(Resize(size, size))
        await seen.settle()
        for _ in range(8):
            await seen.press("escape")
        assert isinstance(seen.app.screen, Browser)
        assert "matmul.main" in seen.lines()[0]
