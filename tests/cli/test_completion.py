"""Completion in a real shell."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from tilescope import completing
from tilescope.commands.facts import command as facts
from tilescope.main import COMMANDS
from tilescope_trace.source.targets import normalise
from tilescope_trace.store.read import open_recording

TILESCOPE = Path(sys.executable).with_name("tilescope")


RECORDING = Path(__file__).parents[1] / "store" / "schema1.tscope"


def completed(line: str) -> set[str]:
    """What bash puts in place of the end of ``line`` behind the last blank, ``:`` or ``=``."""
    script = f"""
        eval "$({TILESCOPE} completion bash)"
        COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:' COMP_LINE={shlex.quote(line)} COMP_POINT={len(line)}
        _tilescope_completion tilescope
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    path = f"{TILESCOPE.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script], env={**os.environ, "PATH": path}, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return set(done.stdout.split())


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("la", {"layout"}),
        ("rec", {"recordings"}),
        ("lint --exp", {"--explain"}),
        ("facts k.py --target cuda:sm_8", {"sm_80", "sm_86", "sm_87", "sm_89"}),
        ("facts 'a b.py' --target=hip:gfx11", {"gfx1100"}),
        ("lint --target cuda:sm_80 --target we", {"webgpu"}),
        ("lock --target sm_90", {"cuda:sm_90", "cuda:sm_90a"}),
        ("view k.py --target as", {"ascend"}),
        ("lint --explain ts201", {"TS201"}),
        ("passes --explain layoutinf", {"tl.LayoutInference"}),
        ("show none.tscope --pass tl.LayoutInf", {"tl.LayoutInference"}),
    ],
)
def test_bash_completes_commands_options_and_values(typed: str, expected: set[str]) -> None:
    assert completed(f"tilescope {typed}") == expected


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
@pytest.mark.parametrize("command", ["show", "diff"])
def test_passes_are_those_of_the_recording(command: str) -> None:
    with open_recording(RECORDING) as opened:
        labels = {record.label for record in opened.passes}
    assert labels
    assert completed(f"tilescope {command} {RECORDING} --pass ") == labels


def test_every_target_that_is_offered_is_one() -> None:
    offered = completing.targets(click.Context(facts), facts.params[0], "")
    assert {"cuda:sm_90a", "cuda:sm_80", "hip:gfx942", "ascend", "metal", "webgpu", "c"} <= set(offered)
    assert [normalise(one) for one in offered] == offered


def test_values_are_completed_without_tilelang() -> None:
    code = (
        "import sys, click; from tilescope import completing; from tilescope.commands.show import command\n"
        "for complete in (completing.targets, completing.passes, completing.rules):\n"
        "    assert complete(click.Context(command), command.params[0], '')\n"
        "print([name for name in ('tilelang', 'torch', 'tvm') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


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
