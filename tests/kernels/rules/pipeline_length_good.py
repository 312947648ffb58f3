"""Pipelined loops of a length that only the running kernel knows, with one stage, and of one that is known."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_80
@tilelang.jit
def triangle(M=1024, bM=64, bK=32, stages=1):
    @T.prim_func
    def main(A: T.Tensor((M, M), "float16"), B: T.Tensor((M, M), "float16"), C: T.Tensor((M, M), "float16")):
        with T.Kernel(M // bM, M // bM, threads=128) as (bx, by):
            A_s = T.alloc_shared((bM, bK), "float16")
            B_s = T.alloc_shared((bK, bM), "float16")
            C_l = T.alloc_fragment((bM, bM), "float32")
            T.clear(C_l)
            for k in T.Pipelined((by + 1) * bM // bK, num_stages=stages):
                T.copy(A[by * bM, k * bK], A_s)
                T.copy(B[k * bK, bx * bM], B_s)
                T.gemm(A_s, B_s, C_l)
            T.copy(C_l, C[by * bM, bx * bM])

    return main


# tilescope: target=cuda:sm_80
@tilelang.jit
def square(M=1024, bM=64, bK=32, stages=3):
    @T.prim_func
    def main(A: T.Tensor((M, M), "float16"), B: T.Tensor((M, M), "float16"), C: T.Tensor((M, M), "float16")):
        with T.Kernel(M // bM, M // bM, threads=128) as (bx, by):
            A_s = T.alloc_shared((bM, bK), "float16")
            B_s = T.alloc_shared((bK, bM), "float16")
            C_l = T.alloc_fragment((bM, bM), "float32")
            T.clear(C_l)
            for k in T.Pipelined(M // bK, num_stages=stages):
                T.copy(A[by * bM, k * bK], A_s)
                T.copy(B[k * bK, bx * bM], B_s)
                T.gemm(A_s, B_s, C_l)
            T.copy(C_l, C[by * bM, bx * bM])

    return main


# tilescope: target=cuda:sm_90a
@tilelang.jit
def with_tma(M=1024, bM=64, bK=32, stages=3):
    @T.prim_func
    def main(A: T.Tensor((M, M), "float16"), B: T.Tensor((M, M), "float16"), C: T.Tensor((M, M), "float16")):
        with T.Kernel(M // bM, M // bM, threads=128) as (bx, by):
            A_s = T.alloc_shared((bM, bK), "float16")
            B_s = T.alloc_shared((bK, bM), "float16")
            C_l = T.alloc_fragment((bM, bM), "float32")
            T.clear(C_l)
            for k in T.Pipelined((by + 1) * bM // bK, num_stages=stages):
                T.copy(A[by * bM, k * bK], A_s)
                T.copy(B[k * bK, bx * bM], B_s)
                T.gemm(A_s, B_s, C_l)
            T.copy(C_l, C[by * bM, bx * bM])

    return main
