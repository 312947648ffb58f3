"""Operators on dtypes that they are not made for."""

import tilelang
import tilelang.language as T


@tilelang.jit
def remainder(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            for i, j in T.Parallel(M, N):
                B[i, j] = A[i, j] % 2.0
#                                 ^ TS139 error % A

    return main


@tilelang.jit
def rounded(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            for i, j in T.Parallel(M, N):
                B[i, j] = A[i, j] // 2.0
#                                 ^^ TS139 error // A

    return main


@tilelang.jit
def divided(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            for i, j in T.Parallel(M, N):
                B[i, j] = A[i / 2, j]
#                             ^ TS139 error / integers

    return main
