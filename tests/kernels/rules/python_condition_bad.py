"""Questions about run-time values that Python answers itself."""

import tilelang
import tilelang.language as T


@tilelang.jit
def border(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            for i, j in T.Parallel(M, N):
                if i in (0, 63):
#                  ^^^^^^^^^^^^ TS329 warning in False i
                    B[i, j] = 0.0
                else:
                    B[i, j] = A[i, j]

    return main


@tilelang.jit
def first(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32"), n: T.int32):
        with T.Kernel(1, threads=128) as bx:
            for i, j in T.Parallel(M, N):
                B[i, j] = T.if_then_else(j not in [0, 1], A[i, j], 0.0)
#                                        ^^^^^^^^^^^^^^^ TS329 warning "not in" True j
            if n is 1:
#              ^^^^^^ TS329 warning is False n
                T.copy(A, B)

    return main


@tilelang.jit
def matched(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32"), n: T.int32):
        with T.Kernel(1, threads=128) as bx:
            match n:
#                 ^ TS329 warning match n
                case 1:
                    T.copy(A, B)
                case _:
                    T.copy(B, A)

    return main
