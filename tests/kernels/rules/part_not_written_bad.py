"""Tensors of which some columns or rows are written nowhere."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_80
@tilelang.jit
def shifted(M=256, N=128, block=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(M // block, threads=128) as bx:
            for i, j in T.Parallel(block, N - 1):
                C[bx * block + i, j + 1] = A[bx * block + i, j]
#               ^ TS309 info "C[:, 0] is written nowhere"

    return main


# tilescope: target=cuda:sm_80
@tilelang.jit
def every_other(M=256, N=128, block=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(M // block, threads=128) as bx:
            for i, j in T.Parallel(block, 32):
                C[bx * block + i, j] = A[bx * block + i, j]
#               ^ TS309 info "C[:, 32 … 95] is written nowhere"
                C[bx * block + i, j + 96] = A[bx * block + i, j + 96]

    return main
