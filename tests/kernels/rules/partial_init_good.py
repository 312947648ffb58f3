"""Buffers that are written whole, in one piece, in several, or as far as they are read."""

import tilelang
import tilelang.language as T


@tilelang.jit
def two_halves(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((M, N), "float16")
            T.copy(A[0:32, 0:64], s[0:32, 0:64])
            T.copy(A[32:64, 0:64], s[32:64, 0:64])
            T.copy(s, C)

    return main


@tilelang.jit
def only_what_is_there(N=192):
    @T.prim_func
    def main(B: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=192) as bx:
            f = T.alloc_fragment((N,), "float32")
            T.clear(f)
            for i in T.Parallel(N):
                if i < 96:
                    f[i] = 2.0
            for i in T.Parallel(N):
                B[i] = f[i] + 1.0

    return main


@tilelang.jit
def padded(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), C: T.Tensor((N, M), "float32")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((M, N + 1), "float32")
            for i, j in T.Parallel(M, N):
                s[i, j] = A[i, j]
            for i, j in T.Parallel(N, M):
                C[i, j] = s[j, i]

    return main
