"""Fragments accessed in parallel loops, and serial loops over what each thread has whole."""

import tilelang
import tilelang.language as T


@tilelang.jit
def parallel(M=16, N=16):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            f = T.alloc_fragment((M, N), "float32")
            for i, j in T.Parallel(M, N):
                f[i, j] = A[i, j]
            for i, j in T.Parallel(M, N):
                C[i, j] = f[i, j]

    return main


@tilelang.jit
def every_thread_has_all(N=16):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            f = T.alloc_fragment((N,), "float32")
            total = T.alloc_fragment((1,), "float32")
            total[0] = 0.0
            for i in T.serial(N):
                f[i] = A[i] + total[0]
            for i in T.serial(N):
                C[i] = f[i]

    return main


@tilelang.jit
def local_and_shared(N=16):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=32) as bx:
            own = T.alloc_local((N,), "float32")
            s = T.alloc_shared((N,), "float32")
            T.copy(A, s)
            for i in T.serial(N):
                own[i] = s[i]
            for i in T.serial(N):
                C[i] = own[i]

    return main
