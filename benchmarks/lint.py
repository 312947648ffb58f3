"""`tilescope lint` over many kernels: two workers against one, shards, a warm cache, one changed file.

    python benchmarks/lint.py [FOLDER] [--runs 5] [--files 20] [--warm 100] [--target T]

FOLDER has kernel files; without it there are two projects of kernels of the tests, of as many files as told for the
cold runs and for those with a warm cache. Every run is a new process, its start included. Four shards stand for four
machines: each runs alone, and the slowest counts. Findings are equal in every run, or it ends.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from figures import Figure, options, report

KERNELS = Path(__file__).parents[1] / "tests" / "kernels"
SHARDS = 4
NAMES = ("lines_elementwise.py", "good_gemm.py", "lines_split_k.py", "plain_copies_gemm.py")
QUICK = NAMES[:3]
"""Those that compile fast: a warm cache has to be filled once."""


def write_project(folder: Path, source: Path | None, files: int, names: Sequence[str]) -> None:
    """A project of kernel files, each in a folder of its own name."""
    (folder / "pyproject.toml").write_text("")
    if source is not None:
        shutil.copytree(source, folder / "kernels", ignore=shutil.ignore_patterns("__pycache__"))
        return
    for number in range(files):
        text = (KERNELS / names[number % len(names)]).read_text(encoding="utf-8")
        (folder / f"k{number:03}.py").write_text(f"# {number}\n{text}")


@dataclass(frozen=True)
class Project:
    """A folder to lint, for which target, and a folder for caches."""

    folder: Path
    caches: Path
    target: str | None

    def lint(self, cache: str, jobs: int, shard: str | None = None) -> tuple[float, dict[str, Any]]:
        """Wall seconds of one run, the interpreter's start included, and its output."""
        command = [sys.executable, "-m", "tilescope", "lint", "--format", "json", "--exit-zero", "-q"]
        command += ["--cache-dir", str(self.caches / cache), "-j", str(jobs)]
        command += [*(["--target", self.target] if self.target else []), *(["--shard", shard] if shard else [])]
        started = time.perf_counter()
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=True)
        return time.perf_counter() - started, json.loads(done.stdout)

    def change(self, file: str, number: int) -> None:
        """Another text of a file, the findings of which stay."""
        path = self.folder / file
        path.write_text(path.read_text(encoding="utf-8") + f"\n# change {number}\n", encoding="utf-8")


def importing() -> float:
    """Seconds of a process that only imports TileLang."""
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import tilelang"], check=True, capture_output=True)
    return time.perf_counter() - started


def cold(project: Project, runs: int) -> Iterator[Figure]:
    one, two, shards, outputs = [], [], [], []
    for number in range(runs):
        for taken, jobs in ((one, 1), (two, 2)):
            seconds, output = project.lint(f"{jobs}-{number}", jobs)
            taken.append(seconds)
            outputs.append(output)
        parts = [project.lint(f"shard-{number}", 2, f"{shard}/{SHARDS}") for shard in range(1, SHARDS + 1)]
        shards.append(max(seconds for seconds, _ in parts))
    _equal(outputs)
    yield Figure("lint.workers", tuple(two), tuple(one), _size(outputs[0]))
    yield Figure("lint.shards", tuple(shards), tuple(two))


def warm(project: Project, runs: int) -> Iterator[Figure]:
    _, filled = project.lint("warm", 2)
    again = [project.lint("warm", 2) for _ in range(runs)]
    _equal([filled, *(output for _, output in again)])
    cells = filled["cells"]
    yield Figure("lint.warm", tuple(100 * seconds / len(cells) for seconds, _ in again), note=_size(filled))
    smallest = min((cell["file"] for cell in cells), key=lambda file: (project.folder / file).stat().st_size)
    changed, alone = [], []
    for number in range(runs):
        project.change(smallest, number)
        changed.append(project.lint("warm", 2)[0])
        alone.append(importing())
    yield Figure("lint.changed", tuple(changed), tuple(alone))


def _equal(outputs: list[dict[str, Any]]) -> None:
    if any(output != outputs[0] for output in outputs):
        raise SystemExit("findings differ from run to run")


def _size(output: dict[str, Any]) -> str:
    return f"{len(output['files'])} files, {len(output['cells'])} compiles"


def main() -> int:
    parser = options(__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--warm", type=int, default=100)
    parser.add_argument("--target")
    given = parser.parse_args()
    code = 0
    for measure, files, names in ((cold, given.files, NAMES), (warm, given.warm, QUICK)):
        with tempfile.TemporaryDirectory() as top:
            folder = Path(top, "project")
            folder.mkdir()
            write_project(folder, given.folder, files, names)
            code |= report(measure(Project(folder, Path(top), given.target), given.runs), given.json)
    return code


if __name__ == "__main__":
    sys.exit(main())
