"""What CI services are given: well formed, and every tilescope command in it is one that runs."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tilescope.main import cli
from tilescope_trace.rules.catalog import RULES

from .conftest import CLEAN, Write, run

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "integrations"
WORKFLOWS = [path for path in (FOLDER / "github").glob("*.yml") if path.name != "action.yml"]
EVERY = [*WORKFLOWS, FOLDER / "github" / "action.yml", FOLDER / "gitlab" / "tilescope.yml"]


def load(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def commands(text: str) -> Iterator[list[str]]:
    """The arguments of each tilescope command in a text, variables of CI services replaced by 1."""
    plain = re.sub(r"\$\{\{[^}]*\}\}|\$\{[^}]*\}|\$\w+", "1", text.replace("\\\n", " "))
    for line in plain.splitlines():
        match = re.match(r"(?:\s*- (?:run: )?|\s*)(tilescope (?:lint|merge|lock)\b.*)", line)
        if match:
            yield shlex.split(match[1].replace("`", ""), comments=True)[1:]


def understood(arguments: list[str]) -> None:
    """Parse a command without running it. Raises click's errors."""
    command = cli.get_command(cli.make_context("tilescope", ["schema"]), arguments[0])
    assert command is not None
    command.make_context(arguments[0], arguments[1:])


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.name)
def test_every_command_is_understood(path: Path) -> None:
    found = list(commands(path.read_text().replace(">-\n      tilescope", "tilescope").replace("\n      --", " --")))
    assert found or path.name == "action.yml"
    for arguments in found:
        understood(arguments)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_have_jobs_with_steps(path: Path) -> None:
    workflow = load(path)
    assert {"name", "jobs"} <= workflow.keys()
    for job in workflow["jobs"].values():
        assert job["runs-on"]
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step)


def test_the_action_lints(write: Write, tmp_path: Path) -> None:
    action = load(FOLDER / "github" / "action.yml")
    assert action["runs"]["using"] == "composite"
    steps = {step["name"]: step for step in action["runs"]["steps"]}
    assert all(step.get("shell") == "bash" for step in steps.values() if "run" in step)
    used = re.findall(r"inputs\.([\w-]+)", (FOLDER / "github" / "action.yml").read_text())
    assert set(used) == action["inputs"].keys()
    write("a.py", CLEAN.replace("@tilelang.jit", "# tilescope: M\n@tilelang.jit"))
    given = {
        "TILESCOPE_PYTHON": sys.executable,
        "TILESCOPE_PATHS": ".",
        "TILESCOPE_ARGS": "--static --select TS006 --matrix",
        "TILESCOPE_SARIF": "out.sarif",
        "TILESCOPE_SUMMARY": "true",
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
        "RUNNER_TEMP": str(tmp_path),
    }
    assert steps["Lint"]["env"].keys() <= given.keys()
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", steps["Lint"]["run"]],
        env={**os.environ, **given},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("::warning file=a.py,line=5,")
    assert (tmp_path / "output").read_text() == "exit-code=1\n"
    assert "| warning | TS006 |" in (tmp_path / "summary").read_text()
    assert "| kernel | cuda:sm_90a |" in (tmp_path / "summary").read_text()
    assert json.loads((tmp_path / "out.sarif").read_text())["version"] == "2.1.0"


def test_the_gitlab_template_lints(write: Write, tmp_path: Path) -> None:
    job = load(FOLDER / "gitlab" / "tilescope.yml")["tilescope"]
    write("a.py", CLEAN)
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "TILESCOPE_PATHS": ".",
        "TILESCOPE_ARGS": "--static",
    }
    done = subprocess.run(["bash", "-e", "-c", job["script"][1]], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for report in [*job["artifacts"]["reports"].values(), "tilescope-1.json"]:
        assert (tmp_path / report).exists()
    assert json.loads((tmp_path / "gl-code-quality-report.json").read_text()) == []
    assert run("merge", "tilescope-1.json").code == 0


def test_hooks_are_commands_that_take_files(write: Write) -> None:
    hooks = load(ROOT / ".pre-commit-hooks.yaml")
    assert {hook["id"] for hook in hooks} == {"tilescope", "tilescope-static", "tilescope-lock"}
    path = write("a.py", CLEAN)
    for hook in hooks:
        assert {"id", "name", "entry", "language"} <= hook.keys()
        files = [] if hook.get("pass_filenames") is False else [str(path)]
        understood([*shlex.split(hook["entry"])[1:], *files])
    assert run(*shlex.split(hooks[1]["entry"])[1:], path).code == 0


def test_the_problem_matcher_finds_what_concise_prints(write: Write) -> None:
    (matcher,) = json.loads((FOLDER / "github" / "problem-matcher.json").read_text())["problemMatcher"]
    (pattern,) = matcher["pattern"]
    write("a b.py", CLEAN.replace("@tilelang.jit", "# tilescope: M\n@tilelang.jit"))
    for form in ("concise", "full"):
        lines = run("lint", "--static", "--format", form).out.splitlines()
        found = [match for line in lines if (match := re.match(pattern["regexp"], line))]
        assert [(m[pattern["file"]], m[pattern["line"]], m[pattern["code"]]) for m in found] == [
            ("a b.py", "5", "TS006")
        ]


def test_the_guide_has_commands_that_are_understood_and_names_every_file() -> None:
    text = (ROOT / "docs" / "lint.md").read_text(encoding="utf-8")
    found = [arguments for block in re.findall(r"```\w*\n(.*?)```", text, re.DOTALL) for arguments in commands(block)]
    assert len(found) > 10
    for arguments in found:
        understood(arguments)
    for path in EVERY:
        assert path.relative_to(ROOT).as_posix() in text
    assert [code for code in re.findall(r"TS\d{3}", text) if code not in RULES] == []
    for block in re.findall(r"```yaml\n(.*?)```", text, re.DOTALL):
        assert yaml.safe_load(block)
