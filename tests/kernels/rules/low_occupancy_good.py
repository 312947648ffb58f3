"""Enough warps, or few by design: a pipeline with asynchronous copies."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_75
@tilelang.jit
def many_warps(M=1024):
    @T.prim_func
    def main(A: T.Tensor((M, 128), "float32"), B: T.Tensor((M, 128), "float32")):
        with T.Kernel(M // 64, threads=256) as bx:
            S = T.alloc_shared((64, 128), "float32")
            T.copy(A[bx * 64, 0], S)
            for i, j in T.Parallel(64, 128):
                B[bx * 64 + i, j] = S[63 - i, j]

    return main


# tilescope: target=cuda:sm_90a
@tilelang.jit
def pipelined(M=256, N=256, K=1024):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(N // 128, M // 128, threads=128) as (bx, by):
            A_s = T.alloc_shared((128, 128), "float16")
            B_s = T.alloc_shared((128, 128), "float16")
            C_l = T.alloc_fragment((128, 128), "float32")
            T.clear(C_l)
            for k in T.Pipelined(K // 128, num_stages=3):
                T.copy(A[by * 128, k * 128], A_s)
                T.copy(B[k * 128, bx * 128], B_s)
                T.gemm(A_s, B_s, C_l)
            T.copy(C_l, C[by * 128, bx * 128])

    return main
