"""A try around Python of the factory."""

import tilelang
import tilelang.language as T


@tilelang.jit
def plain(M=64, N=64, sizes=None):
    try:
        block = sizes["block"]
    except (TypeError, KeyError):
        block = 16

    @T.prim_func
    def main(A: T.Tensor((M, N), "float32")):
        with T.Kernel(M // block, threads=128) as bx:
            for i, j in T.Parallel(block, N):
                A[bx * block + i, j] = 2.0

    return main
