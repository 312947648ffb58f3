"""Copies between dtypes that lose precision at most, and casts of numbers that the kernel has computed."""

import tilelang
import tilelang.language as T


@tilelang.jit
def accumulator_written_out(M=64, N=64, K=64):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(1, threads=128) as bx:
            A_s = T.alloc_shared((M, K), "float16")
            B_s = T.alloc_shared((K, N), "float16")
            C_l = T.alloc_fragment((M, N), "float32")
            T.clear(C_l)
            T.copy(A, A_s)
            T.copy(B, B_s)
            T.gemm(A_s, B_s, C_l)
            T.copy(C_l, C)

    return main


@tilelang.jit
def quantised(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float16"), C: T.Tensor((M, N), "int8")):
        with T.Kernel(1, threads=128) as bx:
            f = T.alloc_fragment((M, N), "float32")
            T.copy(A, f)
            for i, j in T.Parallel(M, N):
                f[i, j] = T.clamp(T.round(f[i, j] * 16.0), -128.0, 127.0)
            T.copy(f, C)

    return main


@tilelang.jit
def wider_and_explicit(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "int8"), B: T.Tensor((M, N), "float32"), C: T.Tensor((M, N), "int8")):
        with T.Kernel(1, threads=128) as bx:
            f = T.alloc_fragment((M, N), "float16")
            T.copy(A, f)
            T.copy(f, B)
            for i, j in T.Parallel(M, N):
                C[i, j] = T.cast(f[i, j], "int8")

    return main
