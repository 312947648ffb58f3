"""Tiles added to tensors of other shapes; and an element with too few indices."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_80
@tilelang.jit
def more_dimensions(N=64):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float32"), B: T.Tensor((N, N, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            S = T.alloc_shared((N, N), "float32")
            T.copy(A, S)
            T.atomic_add(B, S)
#           ^^^^^^^^^^^^^^^^^^ TS147 error atomic_add B "64 × 64 × 64" S

    return main


# tilescope: target=cuda:sm_80
@tilelang.jit
def fewer_dimensions(N=64):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            S = T.alloc_shared((N, N), "float32")
            T.copy(A, S)
            T.atomic_add(B[0:N], S)
#           ^^^^^^^^^^^^^^^^^^^^^^^ TS147 error B "64" S "64 × 64"

    return main


# tilescope: target=cuda:sm_80
@tilelang.jit
def one_element(N=64):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float32"), B: T.Tensor((N, N), "float32")):
        with T.Kernel(1, threads=64) as bx:
            for i in T.Parallel(N):
                T.atomic_add(B[i], A[i, 0])
#                            ^ TS114 error B 2 1

    return main
