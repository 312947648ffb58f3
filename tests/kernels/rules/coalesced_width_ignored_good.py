"""Widths that accesses have."""

import tilelang
import tilelang.language as T


@tilelang.jit
def four(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            f = T.alloc_fragment((M, N), "float32")
            T.copy(A, f, coalesced_width=4)
            T.copy(f, B)

    return main


@tilelang.jit
def two(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            f = T.alloc_fragment((M, N), "float32")
            T.copy(A, f, coalesced_width=2)
            T.copy(f, B)

    return main
