"""The command line uses the configuration, and refuses a wrong one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tilescope.checks.config import check_config
from tilescope.main import main

KERNEL = """\
import tilelang.language as T

def copy(M):
    @T.prim_func
    def main(A: T.Tensor((M,), "float32")):
        with T.Kernel(1, threads=128):
            pass
    return main
"""


@pytest.fixture
def kernel(tmp_path: Path) -> Path:
    (tmp_path / "kernel.py").write_text(KERNEL)
    return tmp_path / "kernel.py"


def test_facts_are_those_of_the_configuration(kernel: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kernel.with_name("tilescope.toml").write_text("targets = 'metal'\n[[kernels]]\nargs = [{ M = 3 }, { M = 4 }]\n")
    assert main(["facts", str(kernel), "--static", "--format", "json"]) == 0
    (file,) = json.loads(capsys.readouterr().out)["files"]
    assert [one["buffers"][0]["shape"] for one in file["kernels"]] == [[3], [4]]
    assert file["kernels"][0]["specialization"]["args"]["M"] == {
        "value": 3,
        "origin": "config",
        "file": str(kernel.with_name("tilescope.toml")),
        "line": 3,
    }
    assert (file["kernels"][0]["target"], file["kernels"][0]["target_origin"]) == ("metal", "config")


def test_a_wrong_configuration_ends_a_command_with_one_message(
    kernel: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kernel.with_name("pyproject.toml").write_text("[tool.tilescope]\ntagrets = 'metal'\nexclude = 3\n")
    assert main(["facts", str(kernel), "--static"]) == 2
    said = capsys.readouterr().err
    assert "pyproject.toml:2:1: unknown key tool.tilescope.tagrets; did you mean targets?" in said
    assert "pyproject.toml:3:1: tool.tilescope.exclude: expected a glob or an array of globs, got a number" in said
    assert "Traceback" not in said


def test_an_interpreter_that_is_not_there_is_told_with_the_line_that_names_it(
    kernel: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kernel.with_name("tilescope.toml").write_text("\ninterpreter = 'nowhere/python'\n")
    assert main(["facts", str(kernel), "--static"]) == 2
    assert "tilescope.toml:2: interpreter 'nowhere/python': there is no file" in capsys.readouterr().err


def test_doctor_tells_each_setting_with_its_line(kernel: Path) -> None:
    assert check_config(kernel).status == "ok"
    kernel.with_name("tilescope.toml").write_text(
        "targets = 'c'\npass_configs.a = 1\n\n[lint]\nignore = 'TS4'\n[[kernels]]\nkernel = 'copy'\n"
    )
    check = check_config(kernel)
    assert check.status == "ok"
    for told in ("targets = c (line 1)", "pass_configs = a: 1 (line 2)", "lint.ignore = TS4 (line 5)", "copy of all"):
        assert told in check.detail
    kernel.with_name("tilescope.toml").write_text("x = 1\n")
    assert check_config(kernel).status == "broken"
