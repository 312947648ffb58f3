"""A kernel for one of its two targets."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_80
# tilescope: target=cuda:sm_90a
@tilelang.jit
def hopper_only(M=64, N=64, K=64):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            A_s = T.alloc_shared((M, K), "float16")
            B_s = T.alloc_shared((K, N), "float16")
            C_l = T.alloc_fragment((M, N), "float32")
            T.clear(C_l)
            T.copy(A, A_s)
            T.copy(B, B_s)
            T.wgmma_gemm(A_s, B_s, C_l)
#           ^^^^^^^^^^^^ TS504 error sm_80
#           ^^^^^^^^^^^^ TS501 warning cuda:sm_90a cuda:sm_80 T.wgmma_gemm
            T.copy(C_l, C)

    return main
