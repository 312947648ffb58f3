"""Grids that leave whole tiles out."""

import tilelang
import tilelang.language as T


@tilelang.jit
def swapped(M=512, N=256, tile=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(T.ceildiv(M, tile), T.ceildiv(N, tile), threads=128) as (bx, by):
            #^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ TS307 warning bx by C 8 4 swapped
            s = T.alloc_shared((tile, tile), "float16")
            T.copy(A[by * tile, bx * tile], s)
            T.copy(s, C[by * tile, bx * tile])

    return main


@tilelang.jit
def too_small(N=4096, tile=128, blocks=16):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(blocks, threads=128) as row:
            #^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ TS307 warning row C 16 32
            for i in T.Parallel(tile):
                C[row * tile + i] = A[row * tile + i]

    return main
