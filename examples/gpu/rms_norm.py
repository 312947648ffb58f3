# Copyright the tilescope authors. Licensed under the Apache License, Version 2.0.
"""Y = X / sqrt(mean(X²) + ε) × weight, a few whole rows in registers at a time."""

import tilelang
import tilelang.language as T


# tilescope: M=4096, N=4096
@tilelang.jit
def rms_norm(M, N, block_M=4, threads=256, epsilon=1e-6):
    @T.prim_func
    def rms_norm_kernel(
        X: T.Tensor((M, N), "float16"),
        weight: T.Tensor((N,), "float16"),
        Y: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(M // block_M, threads=threads) as bx:
            x = T.alloc_fragment((block_M, N), "float16")
            squares = T.alloc_fragment((block_M, N), "float32")
            total = T.alloc_fragment((block_M,), "float32")

            T.copy(X[bx * block_M, 0], x)
            for i, j in T.Parallel(block_M, N):
                squares[i, j] = T.Cast("float32", x[i, j]) * T.Cast("float32", x[i, j])
            T.reduce_sum(squares, total, dim=1)
            for i in T.Parallel(block_M):
                total[i] = T.rsqrt(total[i] / N + epsilon)
            for i, j in T.Parallel(block_M, N):
                x[i, j] = x[i, j] * total[i] * weight[j]
            T.copy(x, Y[bx * block_M, 0])

    return rms_norm_kernel
