"""Instructions that the target does not have."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_90
@tilelang.jit
def hopper_without_its_letter(M=64, N=64, K=64):
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
#           ^^^^^^^^^^^^^^^^^^^^^ TS504 warning wgmma sm_90a sm_90
            T.copy(C_l, C)

    return main


# tilescope: target=cuda:sm_80
@tilelang.jit
def fp8_on_ampere(M=64, N=64, K=64):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float8_e4m3fn"), B: T.Tensor((K, N), "float8_e4m3fn"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            A_s = T.alloc_shared((M, K), "float8_e4m3fn")
            B_s = T.alloc_shared((K, N), "float8_e4m3fn")
            C_l = T.alloc_fragment((M, N), "float32")
            T.clear(C_l)
            T.copy(A, A_s)
            T.copy(B, B_s)
            T.gemm(A_s, B_s, C_l)
#           ^^^^^^^^^^^^^^^^^^^^^ TS504 error float8_e4m3fn sm_89 sm_80
            T.copy(C_l, C)

    return main


# tilescope: target=cuda:sm_80
@tilelang.jit
def wgmma_on_ampere(M=64, N=64, K=64):
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
#           ^^^^^^^^^^^^ TS504 error T.wgmma_gemm sm_90a sm_80
            T.copy(C_l, C)

    return main


# tilescope: target=cuda:sm_80
@tilelang.jit
def barrier_on_ampere(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            bar = T.alloc_barrier(128)
#                 ^^^^^^^^^^^^^^^ TS504 error T.alloc_barrier sm_90 sm_80
            s = T.alloc_shared((M, N), "float32")
            T.copy(A, s)
            T.mbarrier_arrive(bar)
            T.mbarrier_wait_parity(bar, 0)
            T.copy(s, B)

    return main
