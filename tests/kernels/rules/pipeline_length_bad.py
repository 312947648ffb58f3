"""Pipelined loops of a length that only the running kernel knows, with more stages than cp.async can wait for."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_80
@tilelang.jit
def triangle(M=1024, bM=64, bK=32, stages=3):
    @T.prim_func
    def main(A: T.Tensor((M, M), "float16"), B: T.Tensor((M, M), "float16"), C: T.Tensor((M, M), "float16")):
        with T.Kernel(M // bM, M // bM, threads=128) as (bx, by):
            A_s = T.alloc_shared((bM, bK), "float16")
            B_s = T.alloc_shared((bK, bM), "float16")
            C_l = T.alloc_fragment((bM, bM), "float32")
            T.clear(C_l)
            for k in T.Pipelined((by + 1) * bM // bK, num_stages=stages):
            #          ^^^^^^^^^ TS151 error "(by + 1) * 64 // 32 times" "3 stages"
                T.copy(A[by * bM, k * bK], A_s)
                T.copy(B[k * bK, bx * bM], B_s)
                T.gemm(A_s, B_s, C_l)
            T.copy(C_l, C[by * bM, bx * bM])

    return main
