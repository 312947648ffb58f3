# Copyright the tilescope authors. Licensed under the Apache License, Version 2.0.
"""B = Aᵀ through shared memory, so that both sides are read and written in whole sectors.

A row of the tile is padded by one bank: a column of it then lies in as many banks as it has rows.
"""

import tilelang
import tilelang.language as T


# tilescope: M=4096, N=4096
@tilelang.jit
def transpose(M, N, block=32, threads=256, dtype="float32"):
    @T.prim_func
    def transpose_kernel(A: T.Tensor((M, N), dtype), B: T.Tensor((N, M), dtype)):
        with T.Kernel(N // block, M // block, threads=threads) as (bx, by):
            tile = T.alloc_shared((block, block + 1), dtype)

            for i, j in T.Parallel(block, block):
                tile[i, j] = A[by * block + i, bx * block + j]
            for i, j in T.Parallel(block, block):
                B[bx * block + i, by * block + j] = tile[j, i]

    return transpose_kernel
