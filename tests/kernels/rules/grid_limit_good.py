"""The largest extent is the first, and the others are as large as they may be."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_90a
@tilelang.jit
def along_x(M=65536, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(M, 1, threads=64) as (bx, by):
            for i in T.Parallel(64):
                B[bx, by * 64 + i] = A[bx, by * 64 + i]

    return main


# tilescope: target=cuda:sm_90a
@tilelang.jit
def as_large_as_it_may_be(M=65535, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(1, M, threads=64) as (bx, by):
            for i in T.Parallel(64):
                B[by, bx * 64 + i] = A[by, bx * 64 + i]

    return main
