"""Tiles that wgmma cannot take, and a dtype without matrix instruction."""

import tilelang
import tilelang.language as T


@tilelang.jit
def few_rows(M=32, N=64, K=64):
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
#           ^^^^^^^^^^^^^^^^^^^^^ TS405 info 32 64 wgmma
            T.copy(C_l, C)

    return main


@tilelang.jit
def few_threads(M=64, N=64, K=64):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=64) as bx:
            A_s = T.alloc_shared((M, K), "float16")
            B_s = T.alloc_shared((K, N), "float16")
            C_l = T.alloc_fragment((M, N), "float32")
            T.clear(C_l)
            T.copy(A, A_s)
            T.copy(B, B_s)
            T.gemm(A_s, B_s, C_l)
#           ^^^^^^^^^^^^^^^^^^^^^ TS405 info 64 128 threads
            T.copy(C_l, C)

    return main


@tilelang.jit
def not_k_major(M=64, N=64, K=64):
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
#           ^^^^^^^^^^^^^^^^^^^^^ TS405 info float8_e4m3fn transpose_B
            T.copy(C_l, C)

    return main


# tilescope: target=cuda:sm_75
@tilelang.jit
def before_ampere(M=64, N=64, K=64):
    @T.prim_func
    def main(A: T.Tensor((M, K), "bfloat16"), B: T.Tensor((K, N), "bfloat16"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            A_s = T.alloc_shared((M, K), "bfloat16")
            B_s = T.alloc_shared((K, N), "bfloat16")
            C_l = T.alloc_fragment((M, N), "float32")
            T.clear(C_l)
            T.copy(A, A_s)
            T.copy(B, B_s)
            T.gemm(A_s, B_s, C_l)
#           ^^^^^^^^^^^^^^^^^^^^^ TS405 info sm_75 bfloat16
            T.copy(C_l, C)

    return main
