"""The key table is the only place where keys are named: it must be whole and free of conflicts."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from tilescope_passdiff.tui.app import BrowserApp
from tilescope_passdiff.tui.docs import MARK, with_keys
from tilescope_passdiff.tui.keyboard import footer_entries, help_entries, palette_entries, shown
from tilescope_passdiff.tui.keys import KEYS, SCOPES
from tilescope_passdiff.tui.screens.browser import Browser
from tilescope_passdiff.tui.screens.compare import CompareScreen
from tilescope_passdiff.tui.screens.finder import FinderInput
from tilescope_passdiff.tui.screens.form import Form
from tilescope_passdiff.tui.screens.help import Help, help_text
from tilescope_passdiff.tui.screens.history import HistoryScreen
from tilescope_passdiff.tui.screens.reader import Reader
from tilescope_passdiff.tui.screens.timeline import Timeline
from tilescope_passdiff.tui.widgets.bars import SearchBar, footer
from tilescope_passdiff.tui.widgets.lane_view import LaneView
from tilescope_passdiff.tui.widgets.line_view import LineView

OWNERS = {
    "pane": LineView,
    "reader": Reader,
    "browser": Browser,
    "compare": CompareScreen,
    "history": HistoryScreen,
    "lanes": LaneView,
    "timeline": Timeline,
    "search": SearchBar,
    "list": FinderInput,
    "form": Form,
    "help": Help,
}
TOGETHER = (
    {"pane", "reader", "browser"},
    {"pane", "reader", "compare"},
    {"pane", "reader", "history"},
    {"lanes", "timeline"},
    {"search"},
    {"list"},
    {"form"},
    {"help"},
)
"""Scopes whose keys count at the same time."""
PRESSED_IN = {
    "browser": (
        "test_browser.py",
        "test_reading.py",
        "test_linked.py",
        "test_notes.py",
        "test_leaving.py",
        "test_everywhere.py",
        "test_timeline.py",
    ),
    "compare": ("test_compare.py",),
    "history": ("test_history.py",),
    "lanes": ("test_timeline.py",),
    "timeline": ("test_timeline.py", "test_terminal.py"),
    "list": ("test_everywhere.py", "test_notes.py"),
    "form": ("test_notes.py", "test_leaving.py"),
}
"""Where the keys of a scope are pressed, if they are not the same everywhere."""


def pressed(scope: str) -> set[str]:
    """All keys that tests press, in the files for ``scope``."""
    folder = Path(__file__).parent
    names = PRESSED_IN.get(scope) or tuple(path.name for path in folder.glob("test_*.py"))
    found: set[str] = set()
    for name in names:
        for call in ast.walk(ast.parse((folder / name).read_text(encoding="utf-8"))):
            if not (
                isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "press"
            ):
                continue
            for node in ast.walk(call):
                if isinstance(node, ast.Starred) and isinstance(node.value, ast.Constant):
                    found |= set(node.value.value)
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                    found.add(node.value)
    return found


@pytest.mark.parametrize("scope", SCOPES)
def test_some_test_presses_every_key(scope):
    wanted = {name for key in KEYS if key.scope == scope for name in key.keys}
    assert wanted - pressed(scope) == set()


@pytest.mark.parametrize("key", KEYS, ids=lambda key: f"{key.scope}:{key.keys[0]}")
def test_every_key_runs_an_action_that_exists(key):
    namespace, _, name = key.action.partition("(")[0].rpartition(".")
    owner = BrowserApp if namespace == "app" else OWNERS[key.scope]
    assert hasattr(owner, f"action_{name}")


def test_no_key_means_two_things():
    for scopes in TOGETHER:
        counted = Counter(name for key in KEYS if key.scope in scopes for name in key.keys)
        assert [name for name, times in counted.items() if times > 1] == []


def test_the_help_names_every_key():
    text = help_text(list(SCOPES)).plain
    for key in KEYS:
        assert key.help in text
        assert all(shown(name) in text for name in key.keys)
    assert max(map(len, text.splitlines())) <= 74, "it fits into 80 columns with its frame"


def test_the_documentation_names_the_keys_as_they_are():
    page = (Path(__file__).parents[2] / "docs" / "view.md").read_text(encoding="utf-8")
    assert MARK in page
    assert with_keys(page) == page, "run `make docs`"


def test_grouped_keys_share_a_line():
    assert "n  p" in [entry.pressed for entry in help_entries("browser")]
    assert "j/k" in [entry.pressed for entry in footer_entries(("pane",))]


def test_the_palette_names_each_of_a_pair():
    titles = {title: (pressed, action) for title, pressed, action in palette_entries(("reader", "browser"))}
    assert titles["next changed pass"] == ("n", "changed_pass(1)")
    assert titles["previous changed pass"] == ("p", "changed_pass(-1)")
    assert "command palette" not in titles


@pytest.mark.parametrize("width", [10, 40, 78, 198])
def test_the_footer_holds_whole_items_only(width):
    scopes = ("pane", "reader", "browser")
    text = footer(scopes, width).plain
    assert len(text) <= width
    items = [f"{entry.pressed} {entry.text}" for entry in footer_entries(scopes)]
    assert text == "  ".join(items[: text.count("  ") + 1 if text else 0])


def test_80_columns_show_how_to_move_search_get_help_and_leave():
    text = footer(("pane", "reader", "browser"), 78).plain
    assert all(word in text for word in ("j/k move", "n/p changed", "/ search", "? help", "q quit"))
