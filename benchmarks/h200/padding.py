"""What rows that TMA cannot take cost: ``python padding.py``, on a CUDA GPU of compute capability 9.0.

The gallery's GEMM of 4096 × 4096 × 4100, whose A goes through registers, beside K padded with zeros to 4104 (and 4096
for comparison). All are launched in turn on a cold L2 cache. ``python padding.py K`` launches one of them,
for profilers to look at.
"""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable

import torch
from gallery import example
from overhead import alternately

SIZE = 4096
DEPTHS = (4100, 4104, 4096)
PROFILED = 20


def main(arguments: list[str]) -> None:
    """Print a line for each K, or launch the one given."""
    gemm = example("gemm").gemm_relu
    left = torch.randn(SIZE, min(DEPTHS), device="cuda", dtype=torch.float16)
    right = torch.randn(min(DEPTHS), SIZE, device="cuda", dtype=torch.float16)
    reference = torch.relu(left.float() @ right.float())
    if arguments:
        one = launch(gemm, left, right, int(arguments[0]), reference)
        for _ in range(PROFILED):
            one()
        torch.cuda.synchronize()
        return
    launches = [launch(gemm, left, right, depth, reference) for depth in DEPTHS]
    for depth, times in zip(DEPTHS, alternately(launches), strict=True):
        low, middle, high = (statistics.quantiles(times, n=20)[at] for at in (0, 9, 18))
        rate = 2 * SIZE * SIZE * depth / middle / 1e6
        print(f"K = {depth}: median {middle:.1f} us, 5 % to 95 %: {low:.1f} to {high:.1f} us, {rate:.0f} TFLOP/s")


def launch(
    gemm: Callable[[int, int, int], Callable[..., object]],
    left: torch.Tensor,
    right: torch.Tensor,
    depth: int,
    reference: torch.Tensor,
) -> Callable[[], object]:
    """A launch of the kernel for ``depth``, its operands padded with zeros; its result has been compared."""
    a = torch.zeros(SIZE, depth, device="cuda", dtype=torch.float16)
    b = torch.zeros(depth, SIZE, device="cuda", dtype=torch.float16)
    a[:, : left.shape[1]] = left
    b[: right.shape[0]] = right
    result = torch.empty(SIZE, SIZE, device="cuda", dtype=torch.float16)
    kernel = gemm(SIZE, SIZE, depth)
    kernel(a, b, result)
    torch.testing.assert_close(result.float(), reference, rtol=2e-2, atol=2e-1)
    return lambda: kernel(a, b, result)


if __name__ == "__main__":
    main(sys.argv[1:])
