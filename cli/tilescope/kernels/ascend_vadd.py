# Copyright the tilescope authors. Licensed under the Apache License, Version 2.0.
"""C = A + B on the vector unit of an Ascend NPU, one tile in the unified buffer at a time."""

import tilelang
import tilelang.ascend.language as T


@tilelang.jit
def vector_add(N=65536, block=1024, dtype="float32"):
    @T.prim_func
    def main(
        A: T.Tensor((N,), dtype),
        B: T.Tensor((N,), dtype),
        C: T.Tensor((N,), dtype),
    ):
        with T.Kernel(T.ceildiv(N, block)) as bx:
            a = T.alloc_shared((block,), dtype)
            b = T.alloc_shared((block,), dtype)
            c = T.alloc_shared((block,), dtype)

            T.copy(A[bx * block], a)
            T.copy(B[bx * block], b)
            with T.SimdVF():
                for i in T.Parallel(block):
                    c[i] = a[i] + b[i]
            T.copy(c, C[bx * block])

    return main
