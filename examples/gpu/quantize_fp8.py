# Copyright the tilescope authors. Licensed under the Apache License, Version 2.0.
"""Quantizes rows to FP8 with a scale for each group of 128 values."""

import tilelang
import tilelang.language as T

LARGEST = 448.0  # of float8_e4m3fn


# tilescope: M=4096, N=7168
@tilelang.jit
def quantize_fp8(M, N, block_M=32, group=128, threads=128):
    @T.prim_func
    def quantize_fp8_kernel(
        X: T.Tensor((M, N), "bfloat16"),
        Y: T.Tensor((M, N), "float8_e4m3fn"),
        scales: T.Tensor((M, N // group), "float32"),
    ):
        with T.Kernel(N // group, M // block_M, threads=threads) as (bx, by):
            values = T.alloc_fragment((block_M, group), "bfloat16")
            quantized = T.alloc_fragment((block_M, group), "float8_e4m3fn")
            largest = T.alloc_fragment((block_M,), "bfloat16")
            scale = T.alloc_fragment((block_M,), "float32")

            T.copy(X[by * block_M, bx * group], values)
            T.reduce_absmax(values, largest, dim=1)
            for i in T.Parallel(block_M):
                scale[i] = T.max(T.Cast("float32", largest[i]), 1e-4) / LARGEST
            for i, j in T.Parallel(block_M, group):
                quantized[i, j] = T.Cast("float8_e4m3fn", T.Cast("float32", values[i, j]) / scale[i])
            T.copy(quantized, Y[by * block_M, bx * group])
            for i in T.Parallel(block_M):
                scales[by * block_M + i, bx] = scale[i]

    return quantize_fp8_kernel
