"""What is released: built as an index gets it, installed where no source tree is, and run there."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest
from tests.conftest import MakeRecording

from tilescope.main import COMMANDS
from tilescope_server.version import VERSION

ROOT = Path(__file__).parents[2]
PACKAGES = {
    "tilescope": ROOT / "cli",
    "tilescope_server": ROOT / "server",
    "tilescope_passdiff": ROOT / "passdiff",
    "tilescope_trace": ROOT / "trace",
    "tilescope_worker": ROOT / "trace",
}

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="environments have other folders there")


def done(*command: object, cwd: Path = ROOT, **more: object) -> subprocess.CompletedProcess[str]:
    """A command that must succeed, in an environment that names no source tree."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    ran = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=environ, capture_output=True, text=True, timeout=300, **more
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel that comes of the sdist."""
    folder = tmp_path_factory.mktemp("dist")
    done(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    return built / f"tilescope-{VERSION}-py3-none-any.whl"


@dataclass(frozen=True)
class Installed:
    """An environment that has tilescope from the wheel, and a folder to work in."""

    folder: Path
    here: Path

    @property
    def command(self) -> Path:
        return self.folder / "bin" / "tilescope"

    def __call__(self, *arguments: object) -> str:
        return done(self.command, *arguments, cwd=self.here).stdout


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Other packages are ours, by path: only tilescope is installed, so this takes a second and no index."""
    base = tmp_path_factory.mktemp("installed")
    env, here = base / "an env", base / "work"
    here.mkdir()
    venv.create(env, with_pip=False)
    python = env / "bin" / "python"
    done(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-index", "--no-deps", wheel)
    theirs = done(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").stdout.strip()
    (Path(theirs) / "others.pth").write_text(sysconfig.get_path("purelib"))
    return Installed(env, here)


def tree() -> set[str]:
    """The files of our packages, as the wheel names them."""
    found = {
        str(path.relative_to(parent))
        for package, parent in PACKAGES.items()
        for path in (parent / package).rglob("*")
        if path.is_file()
    }
    return {name for name in found if "__pycache__" not in name and not name.endswith(".tscope")}


def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        return message_from_bytes(archive.read(f"tilescope-{VERSION}.dist-info/METADATA"))


def test_the_wheel_holds_every_file_of_our_packages_and_shadows_nothing(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert names == tree()
    top = {name.partition("/")[0] for name in names}
    assert top == set(PACKAGES)
    assert top & set(sys.stdlib_module_names) == set()
    assert {f"{package}/py.typed" for package in PACKAGES} <= names
    # Kinds of files that are no modules and easily left behind.
    assert {Path(name).suffix for name in names} >= {".py", ".tcss", ".html", ".css", ".js", ".md"}


def test_the_sdist_makes_the_wheel_that_the_tree_makes(built: Path, wheel: Path, tmp_path: Path) -> None:
    done(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path, ROOT)
    assert (tmp_path / wheel.name).read_bytes() == wheel.read_bytes()
    with tarfile.open(built / f"tilescope-{VERSION}.tar.gz") as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    assert {"LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml", "tests/release/test_dist.py"} <= set(names)
    assert [name for name in names if re.search(r"(^|/)(node_modules|\.venv|build)/|\.(vsix|pyc)$", name)] == []


def test_the_page_of_the_index_is_readable(built: Path, wheel: Path) -> None:
    assert "PASSED" in done(sys.executable, "-m", "twine", "check", "--strict", *built.iterdir()).stdout
    read = metadata(wheel)
    assert read["License-Expression"] == "Apache-2.0"
    assert read["License-File"] == "LICENSE"
    page = str(read.get_payload())
    links = re.findall(r"\]\(([^)]*)\)", page)
    assert len(links) > 30
    # Nothing lies beside the page, so that a link of the tree would be dead there.
    assert [link for link in links if not link.startswith(("https://", "#"))] == []
    assert all((ROOT / link.partition(f"/v{VERSION}/")[2].partition("#")[0]).exists() for link in links)


def test_one_version_everywhere(wheel: Path, installed: Installed) -> None:
    assert installed("--version") == f"tilescope {VERSION}\n"
    extension = json.loads((ROOT / "vscode-extension" / "package.json").read_text(encoding="utf-8"))
    assert extension["version"] == VERSION
    for file in ("CHANGELOG.md", "vscode-extension/CHANGELOG.md"):
        text = (ROOT / file).read_text(encoding="utf-8")
        unreleased, newest, *_ = re.findall(r"^## (.*)$", text, re.MULTILINE)
        assert unreleased.strip("[]") == "Unreleased"
        assert re.fullmatch(rf"\[?{re.escape(VERSION)}\]?( - | \()\d{{4}}-\d\d-\d\d\)?", newest), file
    for file in ("README.md", "README.zh.md", "docs/editors.md", "vscode-extension/README.md"):
        named = re.findall(r"tilescope-([\d.]+\d)\.vsix", (ROOT / file).read_text(encoding="utf-8"))
        assert set(named) == {VERSION}, file


def test_every_command_is_there(installed: Installed) -> None:
    imports = "; ".join(f"import tilescope.commands.{name}" for name in COMMANDS)
    statement = f"{imports}; import tilescope_passdiff.tui.app; print(tilescope_passdiff.__file__)"
    shown = done(installed.folder / "bin" / "python", "-c", statement, cwd=installed.here).stdout
    assert Path(shown.strip()).is_relative_to(installed.folder)


def test_the_demo_runs(installed: Installed) -> None:
    shown = installed("demo")
    assert "wgmma" in shown
    # What it proposes can be typed: the environment's folder has a space in its name.
    lines = [line.strip().split("    ")[0] for line in shown.splitlines() if re.match(r"  .*\btilescope\b", line)]
    paths = [Path(part) for line in lines for part in shlex.split(line) if part.endswith((".py", ".tscope"))]
    assert [path for path in paths if not (installed.here / path).is_file()] == [Path("YOUR_KERNEL.py")]
    assert any(" " in str(path) for path in paths)


def test_a_recording_becomes_a_page(installed: Installed, make_recording: MakeRecording) -> None:
    recording = make_recording()
    installed("report", recording, "-o", "gemm.html")
    assert "<style>" in (installed.here / "gemm.html").read_text(encoding="utf-8")


def test_schemas_and_completion(installed: Installed) -> None:
    assert json.loads(installed("schema", "facts"))["type"] == "object"
    assert "tilescope" in installed("completion", "bash")


def test_the_language_server_answers(installed: Installed) -> None:
    def framed(method: str, number: int | None = None, **params: object) -> bytes:
        message = {"jsonrpc": "2.0", "method": method, "params": params} | ({"id": number} if number else {})
        body = json.dumps(message).encode()
        return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)

    said = framed("initialize", 1, processId=None, rootUri=None, capabilities={}) + framed("initialized")
    said += framed("shutdown", 2) + framed("exit")
    ran = subprocess.run([installed.command, "lsp"], input=said, cwd=installed.here, capture_output=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    assert f'"version":"{VERSION}"'.encode() in ran.stdout.replace(b": ", b":")
