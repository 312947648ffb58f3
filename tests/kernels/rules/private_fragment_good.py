"""Fragments that are spread over the threads, and a small one that every thread has."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_80
@tilelang.jit
def spread():
    @T.prim_func
    def main(A: T.Tensor((64, 64), "float32"), B: T.Tensor((64, 64), "float32"), C: T.Tensor((64,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            f = T.alloc_fragment((64, 64), "float32")
            sums = T.alloc_fragment((64,), "float32")
            for i, j in T.Parallel(64, 64):
                f[i, j] = A[i, j]
            T.reduce_sum(f, sums, dim=1)
            T.copy(f, B)
            T.copy(sums, C)

    return main
