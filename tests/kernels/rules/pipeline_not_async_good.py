"""Pipelines with copies under way."""

import tilelang
import tilelang.language as T


@tilelang.jit
def same_dtype(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float16"), C: T.Tensor((32, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((32, N), "float32")
            f = T.alloc_fragment((32, N), "float32")
            T.clear(f)
            for k in T.Pipelined(M // 32, num_stages=2):
                T.copy(A[k * 32, 0], s)
                for i, j in T.Parallel(32, N):
                    f[i, j] += s[i, j]
            T.copy(f, C[0, 0])

    return main


@tilelang.jit(pass_configs={"tl.disable_warp_specialized": True, "tl.disable_tma_lower": True})
def by_the_threads(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float16"), C: T.Tensor((32, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((32, N), "float32")
            f = T.alloc_fragment((32, N), "float32")
            T.clear(f)
            for k in T.Pipelined(M // 32, num_stages=2):
                T.copy(A[k * 32, 0], s)
                for i, j in T.Parallel(32, N):
                    f[i, j] += s[i, j]
            T.copy(f, C[0, 0])

    return main
