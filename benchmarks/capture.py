"""What capture costs a program: per kernel call after the first, per compile that TileLang's cache answers, at start.

    python benchmarks/capture.py [--runs 3]

The same program runs plain and under ``tilescope capture``, alternately; each figure is the best of several loops,
the table's the best of all runs. Budget: 20 µs more per kernel call after the first. Kernels are for target c, so no
GPU is needed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

BUDGET_US = 20.0
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
    "kernel(...)": best(lambda: kernel(data), 3000),
    "lazy factory and kernel": best(lambda: lazy(1024)(data), 3000),
    "eager kernel": best(lambda: eager(data), 3000),
    "get_tir again": best(lambda: lazy.get_tir(1024), 500),
    "tilelang.compile, cached": best(lambda: tilelang.compile(func, target="c"), 200),
}
open(sys.argv[1], "w").write(json.dumps(figures))
"""
CALLS = ("kernel(...)", "lazy factory and kernel", "eager kernel")


def measure(folder: Path, *, captured: bool) -> dict[str, float]:
    """The program's figures in microseconds."""
    out = folder / "figures.json"
    command = [sys.executable, "program.py", str(out)]
    if captured:
        command = [sys.executable, "-m", "tilescope", "capture", "--", *command]
    environ = {**os.environ, "TILELANG_CACHE_DIR": str(folder / "cache")}
    subprocess.run(command, cwd=folder, env=environ, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    figures: dict[str, float] = json.loads(out.read_text())
    return figures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "program.py").write_text(PROGRAM)
        (folder / "setup.py").touch()
        pairs = [(measure(folder, captured=False), measure(folder, captured=True)) for _ in range(runs)]
    print(f"{'µs per call':28}{'plain':>10}{'captured':>10}{'more':>10}")
    worst = 0.0
    for call in pairs[0][0]:
        plain, captured = (min(pair[side][call] for pair in pairs) for side in (0, 1))
        print(f"{call:28}{plain:10.2f}{captured:10.2f}{captured - plain:10.2f}")
        worst = max(worst, captured - plain) if call in CALLS else worst
    print(f"worst kernel call: {worst:.2f} µs more, budget {BUDGET_US:.0f} µs")
    return int(worst > BUDGET_US)


if __name__ == "__main__":
    sys.exit(main())
