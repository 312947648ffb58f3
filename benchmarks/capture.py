"""What capture costs a program: per kernel call after the first, and per compile that TileLang's cache answers.

    python benchmarks/capture.py [--runs 5]

The same program runs plain and under ``tilescope capture``, alternately; a run's figure is the best of seven loops.
Kernels are for target c, so no GPU is needed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from figures import Figure, options, report

PROGRAM = """
import json, logging, sys, time
import torch, tilelang, tilelang.language as T

@tilelang.jit(target="c")
def lazy(N, block=64):
    @T.prim_func
    def fill(A: T.Tensor((N,), "float32")):
        with T.Kernel(N // block) as bx:
            for i in T.serial(block):
                A[bx * block + i] = 1.0
    return fill

@tilelang.jit(target="c")
def eager(A, block: int = 64):
    N = T.const("N")
    A: T.Tensor[[N], T.float32]
    with T.Kernel(N // block) as bx:
        for i in T.serial(block):
            A[bx * block + i] = 2.0

logging.disable(logging.CRITICAL)
data = torch.ones(1024)
kernel, func = lazy(1024), lazy.get_tir(1024)
kernel(data), eager(data), tilelang.compile(func, target="c")

def best(call, times):
    found = []
    for _ in range(7):
        started = time.perf_counter()
        for _ in range(times):
            call()
        found.append((time.perf_counter() - started) / times * 1e6)
    return min(found)

figures = {
    "kernel": best(lambda: kernel(data), 3000),
    "lazy": best(lambda: lazy(1024)(data), 3000),
    "eager": best(lambda: eager(data), 3000),
    "get-tir": best(lambda: lazy.get_tir(1024), 500),
    "compile": best(lambda: tilelang.compile(func, target="c"), 200),
}
open(sys.argv[1], "w").write(json.dumps(figures))
"""


def program(folder: Path, *, captured: bool) -> dict[str, float]:
    """The program's figures in microseconds."""
    out = folder / "figures.json"
    command = [sys.executable, "program.py", str(out)]
    if captured:
        command = [sys.executable, "-m", "tilescope", "capture", "--", *command]
    environ = {**os.environ, "TILELANG_CACHE_DIR": str(folder / "cache")}
    subprocess.run(command, cwd=folder, env=environ, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    figures: dict[str, float] = json.loads(out.read_text())
    return figures


def measure(runs: int) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "program.py").write_text(PROGRAM)
        (folder / "setup.py").touch()
        pairs = [(program(folder, captured=False), program(folder, captured=True)) for _ in range(runs)]
    for call in pairs[0][0]:
        plain, captured = (tuple(pair[side][call] for pair in pairs) for side in (0, 1))
        yield Figure(f"capture.{call}", captured, plain)


def main() -> int:
    given = options(__doc__).parse_args()
    return report(measure(given.runs), given.json)


if __name__ == "__main__":
    sys.exit(main())
