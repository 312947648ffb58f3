"""`tilescope lint` over many kernels: two workers against one, a warm cache, one changed file.

    python benchmarks/lint.py [FOLDER] [--files N] [--target T]

FOLDER has kernel files (default: kernels of the tests, N files of them). Budgets: two workers ÷ one ≤ 0.6
cold, warm ≤ 1 s per 100 kernels, one changed file ≤ 2 s; findings equal in every run.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

KERNELS = Path(__file__).parents[1] / "tests" / "kernels"
NAMES = ("lines_elementwise.py", "good_gemm.py", "lines_split_k.py", "plain_copies_gemm.py")


def project(folder: Path, source: Path | None, files: int) -> None:
    """A project of kernel files, each in a folder of its own name."""
    (folder / "pyproject.toml").write_text("")
    if source is not None:
        shutil.copytree(source, folder / "kernels", ignore=shutil.ignore_patterns("__pycache__"))
        return
    for number in range(files):
        text = (KERNELS / NAMES[number % len(NAMES)]).read_text(encoding="utf-8")
        (folder / f"k{number:03}.py").write_text(f"# {number}\n{text}")


def lint(folder: Path, cache: Path, jobs: int, target: str | None) -> tuple[float, dict[str, object]]:
    """Wall seconds of one run, the interpreter's start included, and its output."""
    command = [sys.executable, "-m", "tilescope", "lint", "--format", "json", "--exit-zero", "-q"]
    command += ["--cache-dir", str(cache), "-j", str(jobs), *(["--target", target] if target else [])]
    started = time.perf_counter()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return time.perf_counter() - started, json.loads(done.stdout)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--files", type=int, default=40)
    parser.add_argument("--target")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as top:
        folder = Path(top, "project")
        folder.mkdir()
        project(folder, options.folder, options.files)
        one, first = lint(folder, Path(top, "one"), 1, options.target)
        two, second = lint(folder, Path(top, "two"), 2, options.target)
        warm, third = min(
            (lint(folder, Path(top, "two"), 2, options.target) for _ in range(3)), key=lambda run: run[0]
        )
        cells: list[dict[str, str]] = first["cells"]  # type: ignore[assignment]
        changed = min((folder / cell["file"] for cell in cells), key=lambda path: path.stat().st_size)
        changed.write_text(changed.read_text() + "\n# changed\n")
        edited, _ = lint(folder, Path(top, "two"), 2, options.target)
    kernels = len(first["cells"])  # type: ignore[arg-type]
    print(f"{len(first['files'])} files, {kernels} compiles, load {os.getloadavg()[0]:.1f}")  # type: ignore[arg-type]
    print(f"cold: one worker {one:.1f} s, two {two:.1f} s, ratio {two / one:.2f} (budget 0.60)")
    print(f"warm: {warm:.2f} s, {100 * warm / kernels:.2f} s per 100 kernels (budget 1.00)")
    print(f"one changed file: {edited:.2f} s (budget 2.00)")
    print(f"findings equal: {first == second == third}")
    return int(not first == second == third)


if __name__ == "__main__":
    sys.exit(main())
