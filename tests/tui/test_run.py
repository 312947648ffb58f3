"""Starting the browser."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tilescope_passdiff.tui import run
from tilescope_trace.errors import UsageError


def test_without_a_terminal_it_says_what_to_use_instead(recording):
    with pytest.raises(UsageError, match=r"needs a terminal.*tilescope diff"):
        run(recording.path)


def test_what_is_no_recording_is_named(tmp_path):
    path = tmp_path / "foreign.tscope"
    path.write_text("hello")
    with pytest.raises(UsageError, match=r"foreign\.tscope"):
        run(path)


def test_passdiff_without_the_browser_does_not_load_textual():
    """The language server uses passdiff's diffs: a terminal toolkit would double its memory and its start."""
    code = "import sys, tilescope_passdiff.diff; sys.exit('textual' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
