"""The key table is the only place where keys are named: it must be whole and free of conflicts."""

from __future__ import annotations

from collections import Counter

import pytest

from tilescope_passdiff.tui.app import BrowserApp
from tilescope_passdiff.tui.keys import KEYS, footer_entries, help_entries, shown
from tilescope_passdiff.tui.screens.browser import Browser
from tilescope_passdiff.tui.screens.help import Help, help_text
from tilescope_passdiff.tui.widgets.bars import SearchBar, footer
from tilescope_passdiff.tui.widgets.line_view import LineView

OWNERS = {"pane": LineView, "browser": Browser, "search": SearchBar, "help": Help}


@pytest.mark.parametrize("key", KEYS, ids=lambda key: f"{key.scope}:{key.keys[0]}")
def test_every_key_runs_an_action_that_exists(key):
    namespace, _, name = key.action.partition("(")[0].rpartition(".")
    owner = BrowserApp if namespace == "app" else OWNERS[key.scope]
    assert hasattr(owner, f"action_{name}")


def test_no_key_means_two_things():
    for scopes in ({"pane", "browser"}, {"search"}, {"help"}):
        pressed = Counter(name for key in KEYS if key.scope in scopes for name in key.keys)
        assert [name for name, times in pressed.items() if times > 1] == []


def test_the_help_names_every_key():
    text = help_text().plain
    for key in KEYS:
        assert key.help in text
        assert all(shown(name) in text for name in key.keys)
    assert max(map(len, text.splitlines())) <= 74, "it fits into 80 columns with its frame"


def test_grouped_keys_share_a_line():
    assert "n  p" in [entry.pressed for entry in help_entries("browser")]
    assert "j/k" in [entry.pressed for entry in footer_entries(("pane",))]


@pytest.mark.parametrize("width", [10, 40, 78, 198])
def test_the_footer_holds_whole_items_only(width):
    text = footer(("pane", "browser"), width).plain
    assert len(text) <= width
    items = [f"{entry.pressed} {entry.text}" for entry in footer_entries(("pane", "browser"))]
    assert text == "  ".join(items[: text.count("  ") + 1 if text else 0])


def test_80_columns_show_how_to_move_search_get_help_and_leave():
    text = footer(("pane", "browser"), 78).plain
    assert all(word in text for word in ("j/k move", "n/p changed", "/ search", "? help", "q quit"))
