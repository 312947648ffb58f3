"""Sizes known at run time only, several launches in one function, accesses that are no vectors."""

import tilelang
import tilelang.language as T


@tilelang.jit
def guarded(N=128, dtype="float16"):
    M = T.dynamic("m")

    @T.prim_func
    def main(A: T.Tensor((M, N), dtype), B: T.Tensor((M, N), dtype)):
        with T.Kernel(T.ceildiv(M, 64), threads=128) as bx:
            S = T.alloc_shared((64, N), dtype)
            T.copy(A[bx * 64, 0], S)
            T.copy(S, B[bx * 64, 0])

    return main


@tilelang.jit
def gather(N=1024):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), index: T.Tensor((N,), "int32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(T.ceildiv(N, 512), threads=128) as bx:
            for i in T.Parallel(512):
                B[bx * 512 + i] = A[index[bx * 512 + i]]

    return main


@tilelang.jit
def two_launches(N=1024):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(N // 128, threads=128) as bx:
            F = T.alloc_fragment((128,), "float32")
            T.copy(A[bx * 128], F)
            T.copy(F, B[bx * 128])
        with T.Kernel(N // 256, threads=64) as bx:
            S = T.alloc_shared((256,), "float32")
            T.copy(B[bx * 256], S)
            T.copy(S, A[bx * 256])

    return main


@tilelang.jit
def rows(M=1024, N=256):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32")):
        with T.Kernel(T.ceildiv(N, 64), T.ceildiv(M, 128), threads=128) as (bx, by):
            F = T.alloc_fragment((128, 64), "float32")
            T.clear(F)
            T.copy(F, A[by * 128, bx * 64])

    return main
