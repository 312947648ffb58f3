"""Comparisons of run-time values, and questions about Python values."""

import tilelang
import tilelang.language as T


@tilelang.jit
def compared(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            for i, j in T.Parallel(M, N):
                if i == 0 or i == 63:
                    B[i, j] = 0.0
                else:
                    B[i, j] = T.if_then_else(j != 0 and not j == N - 1, A[i, j], 0.0)

    return main


@tilelang.jit
def of_python(M=64, N=64, mode="sum", bias=None):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            for i, j in T.Parallel(M, N):
                if mode in ("sum", "mean") and bias is None:
                    B[i, j] = A[i, j]
            for row in [0, 1, 2, 3]:
                if row in (1, 2):
                    T.copy(A[row, 0], B[row, 0])

    return main
