"""The interpreter is chosen by what lies on disk, and says why."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tilescope_trace.config.model import Config
from tilescope_trace.errors import UsageError
from tilescope_trace.interpreter import choose, has_tilelang


def environment(folder: Path, tilelang: str | None = "tilelang-0.1.15.dist-info", *, windows: bool = False) -> Path:
    python = folder / ("Scripts/python.exe" if windows else "bin/python")
    packages = folder / ("Lib/site-packages" if windows else "lib/python3.12/site-packages")
    packages.mkdir(parents=True)
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/false\n")
    if tilelang:
        (packages / tilelang).mkdir()
    return python


def test_our_own_interpreter_is_the_last_resort(tmp_path):
    chosen = choose(None, tmp_path, True, {})
    assert (chosen.path, chosen.why) == (sys.executable, "it runs tilescope itself")


@pytest.mark.parametrize("windows", [False, True])
def test_the_workspaces_environment_needs_trust_and_tilelang(tmp_path, windows):
    python = environment(tmp_path / "good" / ".venv", windows=windows)
    environment(tmp_path / "bare" / ".venv", None, windows=windows)
    assert choose(None, tmp_path / "good", True, {}).path == str(python)
    assert choose(None, tmp_path / "bare", True, {}).path == sys.executable
    untrusted = choose(None, tmp_path / "good", False, {})
    assert untrusted.path == sys.executable
    assert untrusted.why.endswith("workspace not trusted")


@pytest.mark.parametrize("variable", ["VIRTUAL_ENV", "CONDA_PREFIX"])
def test_the_active_environment_goes_before_the_workspaces(tmp_path, variable):
    active = environment(tmp_path / "active")
    environment(tmp_path / ".venv")
    chosen = choose(None, tmp_path, True, {variable: str(tmp_path / "active")})
    assert chosen.path == str(active)
    assert variable in chosen.why


def test_a_setting_goes_before_all(tmp_path):
    python = environment(tmp_path / "mine", None)
    for setting in (str(python), str(tmp_path / "mine"), "mine", "mine/bin/python"):
        assert choose(setting, tmp_path, True, {}).path == str(python)


def test_the_configuration_of_a_trusted_workspace_goes_before_environments(tmp_path):
    python, active = environment(tmp_path / "mine", None), environment(tmp_path / "active")
    config = Config(file=str(tmp_path / "tilescope.toml"), interpreter="mine", lines={"interpreter": 3})
    environ = {"VIRTUAL_ENV": str(tmp_path / "active")}
    chosen = choose(None, tmp_path / "elsewhere", True, environ, config)
    assert (chosen.path, chosen.why) == (str(python), f"{config.file}:3 sets it")
    assert choose(None, tmp_path, False, environ, config).path == str(active)
    assert choose("active", tmp_path, True, environ, config).path == str(active)


def test_a_checkout_on_the_python_path_counts_for_the_active_environment(tmp_path):
    python = environment(tmp_path / "active", None)
    checkout = tmp_path / "checkout"
    (checkout / "tilelang").mkdir(parents=True)
    (checkout / "tilelang" / "__init__.py").touch()
    environ = {"VIRTUAL_ENV": str(tmp_path / "active")}
    assert choose(None, tmp_path, True, environ).path == sys.executable
    assert choose(None, tmp_path, True, {**environ, "PYTHONPATH": str(checkout)}).path == str(python)


def test_a_fork_that_is_linked_by_a_path_file_counts(tmp_path):
    environment(tmp_path / "venv", None)
    (tmp_path / "fork" / "tilelang").mkdir(parents=True)
    (tmp_path / "fork" / "tilelang" / "__init__.py").touch()
    assert not has_tilelang(tmp_path / "venv")
    path_file = tmp_path / "venv" / "lib/python3.12/site-packages" / "fork.pth"
    path_file.write_text(f"import sys\n{tmp_path / 'fork'}\n")
    assert has_tilelang(tmp_path / "venv")


@pytest.mark.parametrize("setting", ["nowhere/python", "empty"])
def test_a_setting_that_is_no_interpreter_is_refused(tmp_path, setting):
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match=f"interpreter '{setting}'"):
        choose(setting, tmp_path, True, {})


@pytest.mark.parametrize("name", ["tilelang-0.1.14.egg-info", "tilelang"])
def test_other_ways_of_being_installed(tmp_path, name):
    environment(tmp_path, name)
    (tmp_path / "lib/python3.12/site-packages/tilelang").mkdir(exist_ok=True)
    (tmp_path / "lib/python3.12/site-packages/tilelang/__init__.py").touch()
    assert has_tilelang(tmp_path)
    assert not has_tilelang(tmp_path / "lib")
