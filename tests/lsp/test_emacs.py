"""The server in a real Emacs with eglot, without a screen."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from .conftest import SERVE

EMACS = shutil.which("emacs")


def _version() -> tuple[int, ...]:
    if EMACS is None:
        return (0,)
    said = subprocess.run([EMACS, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"GNU Emacs (\d+)\.(\d+)", said)
    return tuple(map(int, found.groups())) if found is not None else (0,)


OLDEST = (30,)
"""The first Emacs whose own eglot shows hints before and after what they stand at."""
pytestmark = pytest.mark.skipif(_version() < OLDEST, reason="no Emacs 30 or newer here")


def look(file: Path, word: str) -> Any:
    """What the script sees in a file, hovered behind the first ``word``."""
    script = Path(__file__).parent / "emacs" / "check.el"
    done = subprocess.run(
        [str(EMACS), "--batch", "-Q", "-l", str(script), str(file), word, sys.executable, SERVE],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        env={**os.environ, "HOME": str(file.parent), "XDG_STATE_HOME": str(file.parent / "state"), "LANG": "C.UTF-8"},
        cwd=file.parent,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.strip().splitlines()[-1])


def test_hints_hover_diagnostics_and_symbols(tmp_path: Path, gemm_text: str) -> None:
    text = gemm_text.replace("            T.clear(C_local)\n", "").replace(
        "            A_shared = ", '            "é漢😀"; A_shared = '
    )
    file = tmp_path / "gemm.py"
    file.write_text(text, encoding="utf-8")
    lines = text.splitlines()
    row = next(number for number, line in enumerate(lines, 1) if "A_shared = " in line)
    seen = look(file, "A_shared")
    # Each piece of a label is an overlay of its own.
    pieces = {piece.strip() for line, piece in seen["hints"] if line == row}
    assert {"[128,32] f16", "shared", "×3", "⟨swz64⟩", "24 KiB"} <= pieces
    assert any("wgmma" in piece for _, piece in seen["hints"])
    assert "A_shared" in seen["hover"]
    gemm = next(number for number, line in enumerate(lines, 1) if "T.gemm" in line)
    assert any(line == gemm and "TS310" in said for line, said in seen["diagnostics"])
    assert "matmul.main" in seen["symbols"]
