"""A k_pack that AMD targets do not have."""

import tilelang
import tilelang.rocm.language as T


# tilescope: target=hip:gfx942
@tilelang.jit
def three(M=64, N=64, K=64):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            A_s = T.alloc_shared((M, K), "float16")
            B_s = T.alloc_shared((K, N), "float16")
            C_l = T.alloc_fragment((M, N), "float32")
            T.clear(C_l)
            T.copy(A, A_s)
            T.copy(B, B_s)
            T.gemm(A_s, B_s, C_l, k_pack=3)
#                                 ^^^^^^ TS137 error k_pack 3
            T.copy(C_l, C)

    return main
