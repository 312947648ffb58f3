"""A short soak: edits and hostile files at one server; `benchmarks/soak.py` does thousands."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SOAK = Path(__file__).parents[2] / "benchmarks" / "soak.py"


@pytest.mark.skipif(sys.platform == "win32", reason="hostile files speak POSIX")
def test_edits_and_hostile_files_leave_the_server_alive_and_right() -> None:
    done = subprocess.run(
        [sys.executable, str(SOAK), "--edits", "60", "--seed", "4", "--documents", "gemm"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 comparisons with fresh sessions" in done.stdout
