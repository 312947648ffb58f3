"""Operators on their dtypes."""

import tilelang
import tilelang.language as T


@tilelang.jit
def right(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            for i, j in T.Parallel(M, N):
                B[i, j] = T.fmod(A[i // 2, j % 32], 2.0) / 2.0

    return main
