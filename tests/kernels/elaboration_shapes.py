"""Shapes of real kernel files: caches, classes, closures, compiles inside factories, equal names."""

import functools
import itertools

import tilelang
import tilelang.language as T
from tilelang.autotuner import AutoTuner

FAST = True


def scale(N, block, factor, dtype="float32"):
    @T.prim_func
    def main(A: T.Tensor((N,), dtype), B: T.Tensor((N,), dtype)):
        with T.Kernel(T.ceildiv(N, block), threads=128) as bx:
            for i in T.Parallel(block):
                B[bx * block + i] = A[bx * block + i] * factor

    return main


@functools.lru_cache
def cached(N, dtype="float32"):
    @tilelang.jit(pass_configs={"tl.disable_wgmma": True})
    def inner(threads, block=128):
        @T.prim_func
        def main(A: T.Tensor((N,), dtype), B: T.Tensor((N,), dtype)):
            T.annotate_pass_configs({"tl.disable_wgmma": False, "tl.disable_tma_lower": True})
            T.annotate_compile_flags(["-lineinfo"])
            with T.Kernel(T.ceildiv(N, block), threads=threads) as bx:
                for i in T.Parallel(block):
                    B[bx * block + i] = A[bx * block + i]

        return main

    return inner


class Scaler:
    def __init__(self, N, factor=2.0):
        self.N = N
        self.factor = factor

    def build(self, block=128):
        N, factor = self.N, self.factor

        @T.prim_func
        def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
            with T.Kernel(T.ceildiv(N, block), threads=128) as bx:
                for i in T.Parallel(block):
                    B[bx * block + i] = A[bx * block + i] * factor

        return tilelang.compile(main, out_idx=[-1], pass_configs={"tl.disable_wgmma": True}, compile_flags="-O1")

    @tilelang.jit
    def eager(A: T.Tensor((1024,), "float32"), B: T.Tensor((1024,), "float32")):
        with T.Kernel(8, threads=128) as bx:
            for i in T.Parallel(128):
                B[bx * 128 + i] = A[bx * 128 + i]


def pair(N):
    @T.prim_func
    def forward(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(T.ceildiv(N, 128), threads=128) as bx:
            for i in T.Parallel(128):
                B[bx * 128 + i] = A[bx * 128 + i]

    @T.prim_func
    def backward(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(T.ceildiv(N, 256), threads=128) as bx:
            for i in T.Parallel(256):
                A[bx * 256 + i] = B[bx * 256 + i]

    return forward, backward


def configs(N, large=False):
    blocks = [256] if large else [128, 64]
    return [
        {"block": b, "pass_configs": {"tl.disable_wgmma": True}} for b, _ in itertools.product(blocks, range(2))
    ]


@tilelang.autotune(configs=configs)
@tilelang.jit(pass_configs={"tl.disable_wgmma": False, "tl.disable_tma_lower": True})
def tuned(N, large=False, block=None, threads=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(T.ceildiv(N, block), threads=threads) as bx:
            for i in T.Parallel(block):
                B[bx * block + i] = A[bx * block + i]

    return main


if FAST:

    def chosen(N=256):
        @T.prim_func
        def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
            with T.Kernel(T.ceildiv(N, 128), threads=128) as bx:
                for i in T.Parallel(128):
                    B[bx * 128 + i] = A[bx * 128 + i]

        return main
else:

    def chosen(N=512):
        @T.prim_func
        def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
            with T.Kernel(T.ceildiv(N, 64), threads=64) as bx:
                for i in T.Parallel(64):
                    B[bx * 64 + i] = A[bx * 64 + i]

        return main


@tilelang.jit
def sizes(A, B, block: int, dtype=T.float32):
    M, N = T.const("M, N")
    A: T.Tensor[[M, N], dtype]
    B: T.Tensor[[M, N], dtype]
    with T.Kernel(T.ceildiv(N, block), M, threads=128) as (bx, by):
        for i in T.Parallel(block):
            B[by, bx * block + i] = A[by, bx * block + i]


def best_of(N, dtype="float32"):
    def kernel(block=None, threads=None):
        @T.prim_func
        def main(A: T.Tensor((N,), dtype), B: T.Tensor((N,), dtype)):
            with T.Kernel(T.ceildiv(N, block), threads=threads) as bx:
                for i in T.Parallel(block):
                    B[bx * block + i] = A[bx * block + i]

        return main

    tuner = AutoTuner.from_kernel(kernel=kernel, configs=[{"block": 128, "threads": 64}, {"block": 64, "threads": 64}])
    tuner = tuner.set_compile_args(out_idx=[-1], target="auto", pass_configs={"tl.disable_wgmma": True})
    return tuner.run(warmup=3, rep=20)


def tuned_inside(N):
    @tilelang.autotune(configs=[{"block": 64, "pass_configs": {"tl.disable_tma_lower": True}}, {"block": 128}])
    @tilelang.jit(pass_configs={"tl.disable_wgmma": True})
    def inner(block=None, threads=128):
        @T.prim_func
        def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
            with T.Kernel(T.ceildiv(N, block), threads=threads) as bx:
                for i in T.Parallel(block):
                    B[bx * block + i] = A[bx * block + i]

        return main

    return inner()


def nothing(N):
    return N
