"""Kernels that use nearly all shared memory, or only seem to use too much."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_90a
@tilelang.jit
def two_stages(M=256, N=512, K=1024):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(N // 256, M // 128, threads=256) as (bx, by):
            A_s = T.alloc_shared((128, 128), "float16")
            B_s = T.alloc_shared((128, 256), "float16")
            C_l = T.alloc_fragment((128, 256), "float32")
            T.clear(C_l)
            for k in T.Pipelined(K // 128, num_stages=2):
                T.copy(A[by * 128, k * 128], A_s)
                T.copy(B[k * 128, bx * 256], B_s)
                T.gemm(A_s, B_s, C_l)
            T.copy(C_l, C[by * 128, bx * 256])

    return main


# tilescope: target=cuda:sm_80
@tilelang.jit
def one_after_the_other(M=1024):
    @T.prim_func
    def main(A: T.Tensor((M, 128), "float32"), B: T.Tensor((M, 128), "float32")):
        with T.Kernel(M // 256, threads=256) as bx:
            S = T.alloc_shared((256, 128), "float32")
            R = T.alloc_shared((256, 128), "float32")
            T.copy(A[bx * 256, 0], S)
            T.copy(S, B[bx * 256, 0])
            T.copy(B[bx * 256, 0], R)
            T.copy(R, A[bx * 256, 0])

    return main
