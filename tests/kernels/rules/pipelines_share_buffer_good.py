"""Buffers of its own for the second pipeline, and no warp specialization."""

import tilelang
import tilelang.language as T


@tilelang.jit
def own(M=64, N=64, K=128):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            A_s = T.alloc_shared((M, 32), "float16")
            B_s = T.alloc_shared((32, N), "float16")
            A2_s = T.alloc_shared((M, 32), "float16")
            B2_s = T.alloc_shared((32, N), "float16")
            C_l = T.alloc_fragment((M, N), "float32")
            T.clear(C_l)
            for k in T.Pipelined(K // 32, num_stages=3):
                T.copy(A[0, k * 32], A_s)
                T.copy(B[k * 32, 0], B_s)
                T.gemm(A_s, B_s, C_l)
            for k in T.Pipelined(K // 32, num_stages=3):
                T.copy(A[0, k * 32], A2_s)
                T.copy(B[k * 32, 0], B2_s)
                T.gemm(A2_s, B2_s, C_l)
            T.copy(C_l, C)

    return main


@tilelang.jit(pass_configs={"tl.disable_warp_specialized": True})
def not_specialized(M=64, N=64, K=128):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            A_s = T.alloc_shared((M, 32), "float16")
            B_s = T.alloc_shared((32, N), "float16")
            C_l = T.alloc_fragment((M, N), "float32")
            T.clear(C_l)
            for k in T.Pipelined(K // 32, num_stages=3):
                T.copy(A[0, k * 32], A_s)
                T.copy(B[k * 32, 0], B_s)
                T.gemm(A_s, B_s, C_l)
            for k in T.Pipelined(K // 32, num_stages=3):
                T.copy(A[0, k * 32], A_s)
                T.copy(B[k * 32, 0], B_s)
                T.gemm(A_s, B_s, C_l)
            T.copy(C_l, C)

    return main
