"""The program that `profile.sh` measures: ``python profiled_programs.py gemm|attention|one_wave``.

Runs one kernel of tests/kernels/profiled_kernels.py on a CUDA device, compares its result with torch's and prints a
checksum of it. ``one_wave`` is attention with one block on each SM. ``--torch-profiler FILE`` also writes a trace.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "kernels"))
import profiled_kernels

GEMM = {"M": 4096, "N": 4096, "K": 4096}
ATTENTION = {"batch": 4, "heads": 16, "seq_len": 4096, "dim": 128}
ONE_WAVE = {"batch": 1, "heads": 2, "seq_len": 8192, "dim": 128}
Made = tuple[Callable[[], Any], torch.Tensor, torch.Tensor]
"""(launch, its result, torch's)."""


def main(arguments: list[str]) -> int:
    """Run the kernel; 1 where its result is not torch's."""
    parser = argparse.ArgumentParser()
    parser.add_argument("kernel", choices=sorted(PROGRAMS))
    parser.add_argument("--launches", type=int, default=30)
    parser.add_argument("--torch-profiler", type=Path)
    given = parser.parse_args(arguments)
    launch, result, expected = PROGRAMS[given.kernel]()
    launch()
    error = float((result.float() - expected.float()).norm() / expected.float().norm())
    if given.torch_profiler:
        profile(launch, given.torch_profiler)
    for _ in range(given.launches):
        launch()
    torch.cuda.synchronize()
    digest = hashlib.sha256(result.cpu().numpy().tobytes()).hexdigest()[:16]
    print(f"{given.kernel}: relative error {error:.2e}, result {digest}")
    return 0 if error < 2e-3 else 1


def gemm() -> Made:
    """The GEMM with its ReLU."""
    generator = torch.Generator("cuda").manual_seed(0)
    a, b = (
        torch.randn(shape, generator=generator, device="cuda", dtype=torch.float16)
        for shape in ((GEMM["M"], GEMM["K"]), (GEMM["K"], GEMM["N"]))
    )
    c = torch.empty((GEMM["M"], GEMM["N"]), device="cuda", dtype=torch.float16)
    kernel = profiled_kernels.matmul(**GEMM)
    return lambda: kernel(a, b, c), c, torch.relu(a @ b)


def attention(sizes: dict[str, int] = ATTENTION) -> Made:
    """Attention, forward."""
    generator = torch.Generator("cuda").manual_seed(0)
    shape = tuple(sizes[name] for name in ("batch", "seq_len", "heads", "dim"))
    q, k, v = (torch.randn(shape, generator=generator, device="cuda", dtype=torch.float16) for _ in range(3))
    out = torch.empty_like(q)
    kernel = profiled_kernels.attention(**sizes)
    heads_first = (tensor.transpose(1, 2) for tensor in (q, k, v))
    expected = torch.nn.functional.scaled_dot_product_attention(*heads_first).transpose(1, 2)
    return lambda: kernel(q, k, v, out), out, expected


def profile(launch: Callable[[], Any], path: Path) -> None:
    """Write a trace of a few annotated launches."""
    activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
    with torch.profiler.profile(activities=activities) as profiler:
        for number in range(3):
            with torch.profiler.record_function(f"iteration {number}"):
                launch()
        torch.cuda.synchronize()
    profiler.export_chrome_trace(str(path))


def one_wave() -> Made:
    """Attention with fewer blocks than SMs."""
    return attention(ONE_WAVE)


PROGRAMS = {"gemm": gemm, "attention": attention, "one_wave": one_wave}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
