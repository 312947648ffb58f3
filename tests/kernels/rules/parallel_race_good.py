"""Stores that tell iterations apart, or of which one value stays whoever stores it."""

import tilelang
import tilelang.language as T


@tilelang.jit
def apart(M=32, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), C: T.Tensor((M * N,), "float32"), D: T.Tensor((N, M), "float32")):
        with T.Kernel(1, threads=128) as bx:
            for i, j in T.Parallel(M, N):
                C[i * N + j] = A[i, j]
            for i, j in T.Parallel(M, N):
                D[j, i] = A[i, j]

    return main


@tilelang.jit
def one_value(N=128):
    @T.prim_func
    def main(A: T.Tensor((1,), "float32"), C: T.Tensor((1,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((1,), "float32")
            for i in T.Parallel(N):
                s[0] = A[0]
            C[0] = s[0]

    return main


@tilelang.jit
def one_iteration_stores(M=32, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), C: T.Tensor((M,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            for i, j in T.Parallel(M, N):
                if j == 0:
                    C[i] = A[i, j]

    return main


@tilelang.jit
def atomic(M=32, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), C: T.Tensor((M,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            for i, j in T.Parallel(M, N):
                T.atomic_add(C[i], A[i, j])

    return main


@tilelang.jit
def scattered(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), at: T.Tensor((N,), "int32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            for i in T.Parallel(N):
                C[at[i]] = A[i]

    return main


# tilescope: target=cuda:sm_80
@tilelang.jit
def swizzled(M=256, N=128):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(M // 64, threads=128) as by:
            for i, j in T.Parallel(64, N):
                C[by * 64 + i, j ^ 1] = A[by * 64 + i, j]

    return main
