"""Where the peers are installed and where they leave what they write; running their commands there."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

PROGRAMS = Path(__file__).parent / "programs"
COMPILE = str(PROGRAMS / "compile.py")


@dataclass(frozen=True)
class Place:
    """``python`` is the interpreter that has the peers, ``ours`` that of tilescope, ``scratch`` a folder to write
    in."""

    python: Path
    ours: Path
    scratch: Path

    def folder(self, *names: str) -> Path:
        folder = self.scratch.joinpath(*names)
        folder.mkdir(parents=True, exist_ok=True)
        return folder


@dataclass(frozen=True)
class Ran:
    """A command that ended: its exit status, what it printed on both streams, and its working folder."""

    code: int
    output: str
    folder: Path


def run_all(
    tool: str, commands: Mapping[str, Sequence[str]], place: Place, extra: Mapping[str, str] | None = None
) -> dict[str, Ran]:
    """Run Python commands (``-m MODULE ...`` or ``SCRIPT ...``) by name, each in a folder of its own and in a fork of
    one interpreter. ``extra`` is set in their environment. Such a command prints what it prints by itself, in less
    time."""
    folders = {name: place.folder(tool, name) for name in commands}
    lines = "".join(
        json.dumps({"argv": list(argv), "folder": str(folders[name])}) + "\n" for name, argv in commands.items()
    )
    warm = [str(place.python), str(PROGRAMS / "warm.py")]
    subprocess.run(warm, input=lines, text=True, env={**os.environ, **(extra or {})}, check=True)
    return {name: _ran(folder) for name, folder in folders.items()}


def _ran(folder: Path) -> Ran:
    streams = [(folder / name).read_text(encoding="utf-8", errors="replace") for name in ("stdout", "stderr")]
    return Ran(int((folder / "code").read_text()), "".join(streams), folder)
