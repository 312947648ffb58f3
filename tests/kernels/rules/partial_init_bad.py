"""Buffers of which more is read than written."""

import tilelang
import tilelang.language as T


@tilelang.jit
def shorter_loop(N=192):
    @T.prim_func
    def main(B: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=192) as bx:
            f = T.alloc_fragment((N,), "float32")
            for i in T.Parallel(96):
                f[i] = 2.0
            for i in T.Parallel(N):
                B[i] = f[i] + 1.0
                #      ^^^^ TS305 warning f 96 192

    return main


@tilelang.jit
def half_a_tile(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((M, N), "float16")
            T.copy(A[0:32, 0:64], s[0:32, 0:64])
            T.copy(s, C)
            #      ^ TS305 warning s 4096 2048

    return main
