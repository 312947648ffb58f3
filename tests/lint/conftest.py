"""What tests of lint runs share: a way to run a command, and a project that was compiled once."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tilescope.main import main

CLEAN = """\
import tilelang
import tilelang.language as T


@tilelang.jit
def scale(N=1024, block=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(T.ceildiv(N, block), threads=block) as bx:
            for i in T.Parallel(block):
                B[bx * block + i] = A[bx * block + i] * 2.0

    return main
"""

UNINITIALISED = """\
import tilelang
import tilelang.language as T


@tilelang.jit
def add(N=1024, block=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(T.ceildiv(N, block), threads=block) as bx:
            s = T.alloc_fragment((block,), "float32")
            for i in T.Parallel(block):
                B[bx * block + i] = A[bx * block + i] + s[i]

    return main
"""
"""TS310 on line 12."""

BROKEN = UNINITIALISED.replace("A[bx * block + i] + s[i]", "A[bx * block + i, 0] + s[i]").replace(
    "def add", "def bad"
)
"""Does not compile."""

GUESSED = CLEAN.replace("N=1024", "N").replace("def scale", "def guessed")
"""Nothing gives N a value."""

CRASHING = CLEAN.replace("def scale", "def crash").replace(
    "        with T.Kernel", "        import os; os.kill(os.getpid(), 11)\n        with T.Kernel"
)


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def places(self) -> list[tuple[str, int]]:
        """(code, line) of each finding of a JSON output."""
        return [(one["code"], one["line"]) for one in self.json["findings"]]


def run(*arguments: str | Path, stdin: bytes | None = None) -> Ran:
    """Run a command in this process, without a cache unless it names one."""
    cached = any(str(one).startswith(("--cache-dir", "--no-cache")) for one in arguments)
    caches = arguments[0] in ("lint", "lock") and not cached
    out, err, before = io.StringIO(), io.StringIO(), sys.stdin
    if stdin is not None:
        sys.stdin = io.TextIOWrapper(io.BytesIO(stdin))
    try:
        with redirect_stdout(out), redirect_stderr(err):
            code = main([*map(str, arguments), *(["--no-cache"] if caches else [])])
    finally:
        sys.stdin = before
    return Ran(code, out.getvalue(), err.getvalue())


Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """``write(name, text)`` in a folder of the test's own, which is the working folder and a project."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text("")

    def put(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return put


@dataclass(frozen=True)
class Project:
    """A folder whose kernels were compiled for sm_80 and sm_90a; ``cold`` is the run that did it."""

    folder: Path
    cache: Path
    cold: Ran

    def lint(self, *arguments: str | Path) -> Ran:
        """The same run with further options, from the cache."""
        return run("lint", *arguments, "--cache-dir", self.cache)


TARGETS = ("--target", "cuda:sm_80", "--target", "cuda:sm_90a")


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """The project: one clean file, one with a warning, one that does not compile, one that kills its process."""
    pytest.importorskip("tilelang")
    folder = tmp_path_factory.mktemp("project")
    (folder / "pyproject.toml").write_text("")
    (folder / "kernels").mkdir()
    for name, text in {"clean": CLEAN, "add": UNINITIALISED, "bad": BROKEN}.items():
        (folder / "kernels" / f"{name}.py").write_text(text)
    cache = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        cold = run("lint", ".", *TARGETS, "--format", "json", "--cache-dir", cache)
    return Project(folder, cache, cold)
