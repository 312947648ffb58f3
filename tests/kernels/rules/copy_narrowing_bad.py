"""Copies that cast what the target dtype cannot hold."""

import tilelang
import tilelang.language as T


@tilelang.jit
def whole_tensor(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float16"), C: T.Tensor((M, N), "int8")):
        with T.Kernel(1, threads=128) as bx:
            S = T.alloc_shared((M, N), "int8")
            T.copy(A, S)
#           ^^^^^^^^^^^^ TS320 warning A S float16 int8
            T.copy(S, C)

    return main


@tilelang.jit
def smaller_integers(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "int32"), C: T.Tensor((M, N), "uint8")):
        with T.Kernel(M // 16, threads=128) as bx:
            f = T.alloc_fragment((16, N), "uint8")
            T.copy(A[bx * 16, 0], f)
#           ^^^^^^^^^^^^^^^^^^^^^^^^ TS320 warning A f int32 uint8
            T.copy(f, C[bx * 16, 0])

    return main
