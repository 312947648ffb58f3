"""Large fragments over enough threads, and several that are not alive together."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_90a
@tilelang.jit
def accumulator(M=256, N=512, K=256):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(N // 256, M // 128, threads=256) as (bx, by):
            A_s = T.alloc_shared((128, 32), "float16")
            B_s = T.alloc_shared((32, 256), "float16")
            C_l = T.alloc_fragment((128, 256), "float32")
            T.clear(C_l)
            for k in T.Pipelined(K // 32, num_stages=2):
                T.copy(A[by * 128, k * 32], A_s)
                T.copy(B[k * 32, bx * 256], B_s)
                T.gemm(A_s, B_s, C_l)
            T.copy(C_l, C[by * 128, bx * 256])

    return main


# tilescope: target=cuda:sm_80
@tilelang.jit
def one_after_the_other(M=128):
    @T.prim_func
    def main(A: T.Tensor((M, 128), "float32"), B: T.Tensor((M, 128), "float32")):
        with T.Kernel(M // 128, threads=128) as bx:
            f = T.alloc_fragment((128, 128), "float32")
            g = T.alloc_fragment((128, 128), "float32")
            h = T.alloc_fragment((128, 128), "float32")
            T.copy(A[bx * 128, 0], f)
            for i, j in T.Parallel(128, 128):
                g[i, j] = f[i, j] * 2.0
            for i, j in T.Parallel(128, 128):
                h[i, j] = g[i, j] + 1.0
            T.copy(h, B[bx * 128, 0])

    return main
