"""Widths that no access has."""

import tilelang
import tilelang.language as T


@tilelang.jit
def too_wide(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            f = T.alloc_fragment((M, N), "float32")
            T.copy(A, f, coalesced_width=8)
#                        ^^^^^^^^^^^^^^^ TS406 warning coalesced_width 8
            T.copy(f, B)

    return main


@tilelang.jit
def odd(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            f = T.alloc_fragment((M, N), "float32")
            T.copy(A, f, coalesced_width=3)
#                        ^^^^^^^^^^^^^^^ TS406 warning coalesced_width 3
            T.copy(f, B)

    return main
