"""A wait without arrivals."""

import tilelang
import tilelang.language as T


@tilelang.jit
def nobody(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            bar = T.alloc_barrier(128)
            s = T.alloc_shared((M, N), "float32")
            T.copy(A, s)
            T.mbarrier_wait_parity(bar, 0)
#                                  ^^^ TS407 warning bar hangs
            T.copy(s, B)

    return main
