"""Kernels that are built when the file is executed: a fault in one stops the whole module."""

import tilelang.language as T


@T.prim_func
def broken(A: T.Tensor((128,), "float32"), B: T.Tensor((128,), "float32")):
    with T.Kernel(1, threads=128) as bx:
        tile = T.alloc_fragment((128,), "float32")
        T.copy(A, tile)
        T.copy(tile, b)
        #            ^ broken TS112 b


@T.prim_func
def wrong_rank(A: T.Tensor((128,), "float32"), B: T.Tensor((128,), "float32")):
    with T.Kernel(1, threads=128) as bx:
        for i in T.Parallel(128):
            B[i] = A[i, 0]
            #      ^ wrong_rank TS114 A 1 2


@T.prim_func
def healthy(A: T.Tensor((128,), "float32"), B: T.Tensor((128,), "float32")):
    with T.Kernel(1, threads=128) as bx:
        for i in T.Parallel(128):
            B[i] = A[i]
