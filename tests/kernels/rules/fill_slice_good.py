"""Slices that end where their buffer does."""

import tilelang
import tilelang.language as T


@tilelang.jit
def filled(N=8):
    @T.prim_func
    def main(C: T.Tensor((N,), "int32")):
        with T.Kernel(1, threads=32) as bx:
            s = T.alloc_shared((N,), "int32")
            T.clear(s)
            T.fill(s[6:8], 7)
            T.copy(s, C)

    return main


@tilelang.jit
def cleared(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((M, N), "float32")
            T.copy(A, s)
            for k in T.serial(2):
                T.clear(s[k * 32 : k * 32 + 32, 0:64])
            T.copy(s, C)

    return main
