# Copyright the tilescope authors. Licensed under the Apache License, Version 2.0.
"""The k largest values of each row and where they are: a row a block, one pass over registers for each."""

import tilelang
import tilelang.language as T


# tilescope: rows=1024, N=8192, k=8
@tilelang.jit
def top_k(rows, N, k, threads=256):
    @T.prim_func
    def top_k_kernel(
        X: T.Tensor((rows, N), "float32"),
        values: T.Tensor((rows, k), "float32"),
        places: T.Tensor((rows, k), "int32"),
    ):
        with T.Kernel(rows, threads=threads) as row:
            x = T.alloc_fragment((N,), "float32")
            at = T.alloc_fragment((N,), "int32")
            best = T.alloc_fragment((1,), "float32")
            place = T.alloc_fragment((1,), "int32")

            T.copy(X[row, :], x)
            for n in T.serial(k):
                T.reduce_max(x, best, dim=0)
                for j in T.Parallel(N):
                    at[j] = T.if_then_else(x[j] == best[0], j, N)
                T.reduce_min(at, place, dim=0)
                values[row, n] = best[0]
                places[row, n] = place[0]
                for j in T.Parallel(N):
                    x[j] = T.if_then_else(j == place[0], -T.infinity("float32"), x[j])

    return top_k_kernel
