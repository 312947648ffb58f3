"""Barriers that wait for nobody."""

import tilelang
import tilelang.language as T


@tilelang.jit
def none(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            bar = T.alloc_barrier(0)
#                   ^^^^^^^^^^^^^ TS138 error alloc_barrier 0
            s = T.alloc_shared((M, N), "float32")
            T.copy(A, s)
            T.mbarrier_arrive(bar)
            T.mbarrier_wait_parity(bar, 0)
            T.copy(s, B)

    return main


@tilelang.jit
def one_of_two(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            bar = T.alloc_barrier([128, -1])
#                   ^^^^^^^^^^^^^ TS138 error alloc_barrier -1
            s = T.alloc_shared((M, N), "float32")
            T.copy(A, s)
            T.mbarrier_arrive(bar)
            T.mbarrier_wait_parity(bar, 0)
            T.copy(s, B)

    return main
