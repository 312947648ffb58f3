"""Completion in a real shell."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tilescope.main import COMMANDS

TILESCOPE = Path(sys.executable).with_name("tilescope")


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
@pytest.mark.parametrize(
    ("typed", "completed"), [("la", {"layout"}), ("rec", {"recordings"}), ("lint --exp", {"--explain"})]
)
def test_bash_completes_commands_and_options(typed: str, completed: set[str]) -> None:
    words = ["tilescope", *typed.split()]
    script = f"""
        eval "$({TILESCOPE} completion bash)"
        COMP_WORDS=({" ".join(words)}); COMP_CWORD={len(words) - 1}
        _tilescope_completion tilescope
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    path = f"{TILESCOPE.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script], env={**os.environ, "PATH": path}, capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()) == completed


def test_completion_imports_no_command() -> None:
    code = (
        "import sys; from tilescope.main import main\n"
        "try: main([])\n"
        "finally: print(sorted(name for name in sys.modules if name.startswith('tilescope.commands.')))"
    )
    environment = {
        **os.environ,
        "_TILESCOPE_COMPLETE": "bash_complete",
        "COMP_WORDS": "tilescope ",
        "COMP_CWORD": "1",
    }
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    *completed, modules = done.stdout.splitlines()
    assert [line.removeprefix("plain,") for line in completed] == list(COMMANDS)
    assert modules == "[]"
