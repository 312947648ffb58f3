"""The VS Code extension's own tests, its types and style, and what it takes from the server.

They need node 20 or newer and, the first time, the npm registry; without them they are skipped. The tests in a real
VS Code are `make test-vscode`.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tilescope_server.settings.schema import form

EXTENSION = Path(__file__).parents[2] / "vscode-extension"
OLDEST_NODE = 20
UNREACHABLE = re.compile(r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|network")
"""How npm says that the registry cannot be reached."""


def run(*command: str, text: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=EXTENSION, input=text, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module", autouse=True)
def installed() -> None:
    """The packages of package-lock.json, installed once for each state of that file."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        pytest.skip("the VS Code extension is not tested: there is no node on PATH")
    version = run(node, "--version").stdout.strip()
    if int(version.lstrip("v").split(".")[0]) < OLDEST_NODE:
        pytest.skip(f"the VS Code extension is not tested: node {version} is older than {OLDEST_NODE}")
    wanted = hashlib.sha256((EXTENSION / "package-lock.json").read_bytes()).hexdigest()
    stamp = EXTENSION / "node_modules" / ".installed"
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    done = run(npm, "ci", "--prefer-offline", "--no-audit", "--no-fund")
    if done.returncode != 0 and UNREACHABLE.search(done.stderr):
        pytest.skip(
            "the VS Code extension is not tested: its packages cannot be fetched, the registry is out of reach"
        )
    assert done.returncode == 0, done.stderr
    stamp.write_text(wanted)


def test_unit_tests_pass() -> None:
    done = run("npm", "--silent", "test")
    assert done.returncode == 0, done.stdout + done.stderr
    passed = re.search(r"^# pass (\d+)$", done.stdout, re.MULTILINE)
    assert passed is not None, done.stdout
    assert int(passed[1]) > 0


def test_types_and_style_hold() -> None:
    done = run("npm", "--silent", "run", "check")
    assert done.returncode == 0, done.stdout + done.stderr


def test_settings_and_protocol_are_those_of_the_server() -> None:
    done = run("node", "scripts/generate.mjs", "--check", text=json.dumps(form()))
    assert done.returncode == 0, done.stderr


def test_a_setting_that_the_server_has_and_the_extension_lacks_is_seen() -> None:
    more = form()
    more["properties"]["tilescope.unheardOf"] = {"type": "boolean", "default": True, "scope": "window"}
    done = run("node", "scripts/generate.mjs", "--check", text=json.dumps(more))
    assert done.returncode == 1
    assert "package.json is out of date" in done.stderr
