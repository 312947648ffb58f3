"""A loop as wide as the compiler cannot."""

import tilelang
import tilelang.language as T


@tilelang.jit
def eight(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            for i, j in T.Parallel(M, N, coalesced_width=8):
#                                        ^^^^^^^^^^^^^^^ TS143 error coalesced_width
                B[i, j] = A[i, j]

    return main
