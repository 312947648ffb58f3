"""Programs that are run with the hook, once for all tests of a file."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

KERNELS = Path(__file__).parent.parent / "kernels/capture"


@dataclass(frozen=True)
class Project:
    """A project folder, with TileLang's cache to itself."""

    folder: Path

    @property
    def captured(self) -> Path:
        return self.folder / "tilescope.captured.json"

    def run(self, *command: str, **environ: str) -> subprocess.CompletedProcess[str]:
        """Run a command in the project; its output is no terminal."""
        env = {**os.environ, "TILELANG_CACHE_DIR": str(self.folder / "cache"), **environ}
        return subprocess.run(command, cwd=self.folder, env=env, capture_output=True, text=True, check=False)

    def tilescope(self, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
        return self.run(sys.executable, "-m", "tilescope", *arguments, **environ)


MakeProject = Callable[..., Project]


def make(folder: Path, *names: str) -> Project:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "setup.py").touch()
    for name in names:
        shutil.copy(KERNELS / name, folder)
    return Project(folder)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """An empty project."""
    return make(tmp_path / "project")
