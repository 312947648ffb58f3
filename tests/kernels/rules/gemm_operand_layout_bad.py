"""Operands that wgmma cannot read."""

import tilelang
import tilelang.language as T


@tilelang.jit
def narrow(M=64, N=24, K=32):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            A_s = T.alloc_shared((M, K), "float16")
            B_s = T.alloc_shared((K, N), "float16")
            C_l = T.alloc_fragment((M, N), "float32")
            T.clear(C_l)
            T.copy(A, A_s)
            T.copy(B, B_s)
            T.gemm(A_s, B_s, C_l)
#           ^^^^^^^^^^^^^^^^^^^^^ TS140 error A_s B_s 24
            T.copy(C_l, C)

    return main
