"""Tiles and elements added to as large a part of a tensor."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_80
@tilelang.jit
def a_tile(N=64):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float32"), B: T.Tensor((N, N, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            S = T.alloc_shared((N, N), "float32")
            T.copy(A, S)
            T.atomic_add(B[0, 0:N, 0:N], S)

    return main


# tilescope: target=cuda:sm_80
@tilelang.jit
def rows(N=64):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            S = T.alloc_shared((N, N), "float32")
            T.copy(A, S)
            for i, j in T.Parallel(N, N):
                T.atomic_add(B[j], S[i, j])

    return main
