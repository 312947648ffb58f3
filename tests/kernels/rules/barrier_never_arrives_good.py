"""Waits with arrivals, and one for the phase before the first."""

import tilelang
import tilelang.language as T


@tilelang.jit
def threads_arrive(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            bar = T.alloc_barrier(128)
            s = T.alloc_shared((M, N), "float32")
            T.copy(A, s)
            T.mbarrier_arrive(bar)
            T.mbarrier_wait_parity(bar, 0)
            T.copy(s, B)

    return main


@tilelang.jit
def copy_arrives(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            bar = T.alloc_barrier(1)
            s = T.alloc_shared((M, N), "float32")
            T.tma_copy(A, s, barrier=bar)
            T.mbarrier_arrive(bar)
            T.mbarrier_wait_parity(bar, 0)
            T.copy(s, B)

    return main


@tilelang.jit
def before_the_first(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            bar = T.alloc_barrier(128)
            s = T.alloc_shared((M, N), "float32")
            T.copy(A, s)
            T.mbarrier_wait_parity(bar, 1)
            T.copy(s, B)

    return main
