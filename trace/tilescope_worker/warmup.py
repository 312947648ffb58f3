"""Small kernels that make the compiler pay its first-use costs."""

from __future__ import annotations

import tempfile
from pathlib import Path

from .wire.messages import ArgumentText, Job, KernelRequest

PATH = str(Path(tempfile.gettempdir()) / "tilescope_warmup.py")
"""The kernels are executed under this path; no such file is written."""

_TEXT = """\
import tilelang
import tilelang.language as T


@tilelang.jit
def tiled(threads=128):
    @T.prim_func
    def main(A: T.Tensor((64, 64), "float16"), B: T.Tensor((64, 64), "float16"), C: T.Tensor((64, 64), "float16")):
        with T.Kernel(1, threads=threads) as bx:
            a = T.alloc_shared((64, 32), "float16")
            b = T.alloc_shared((32, 64), "float16")
            c = T.alloc_fragment((64, 64), "float32")
            T.clear(c)
            for k in T.Pipelined(2, num_stages=2):
                T.copy(A[0, k * 32], a)
                T.copy(B[k * 32, 0], b)
                T.gemm(a, b, c)
            T.copy(c, C)

    return main


@tilelang.jit
def scalar():
    @T.prim_func
    def main(A: T.Tensor((256,), "float32"), B: T.Tensor((256,), "float32")):
        with T.Kernel(2, threads=128) as bx:
            for i in T.Parallel(128):
                B[bx * 128 + i] = A[bx * 128 + i] + 1.0

    return main


def vector():
    import tilelang.ascend.language as A

    @A.prim_func
    def main(X: A.Tensor((1024,), "float32"), Y: A.Tensor((1024,), "float32")):
        with A.Kernel(1) as bx:
            x = A.alloc_shared((1024,), "float32")
            A.copy(X[0], x)
            with A.SimdVF():
                for i in A.Parallel(1024):
                    x[i] = x[i] + 1.0
            A.copy(x, Y[0])

    return main
"""
_KERNEL = {"cuda": "tiled", "hip": "tiled", "metal": "tiled", "ascend": "vector"}
_BAD_THREADS = {"threads": ArgumentText("96", "default")}
"""Three warps cannot share a 64 x 64 tile: fails in C++ under a Python callback, as most failures do."""


def job(targets: tuple[str, ...]) -> Job:
    """One good request per target, one failing for the first CUDA target."""
    requests = [_request(_KERNEL.get(name.partition(":")[0], "scalar"), name) for name in targets]
    failing = next((name for name in targets if name.startswith("cuda:")), None)
    if failing is not None:
        requests.append(_request("tiled", failing, _BAD_THREADS))
    return Job(path=PATH, text=_TEXT, kernels=tuple(requests), record=True)


def _request(factory: str, target: str, arguments: dict[str, ArgumentText] | None = None) -> KernelRequest:
    lines = _TEXT.splitlines()
    outer = next(number for number, line in enumerate(lines, 1) if line.startswith(f"def {factory}("))
    inner = next(number for number, line in enumerate(lines, 1) if number > outer and "def main(" in line)
    return KernelRequest(((factory, outer), ("main", inner)), target, "default", arguments or {})
