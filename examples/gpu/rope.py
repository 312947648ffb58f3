# Copyright the tilescope authors. Licensed under the Apache License, Version 2.0.
"""Rotary position embedding: the two halves of each head are turned by an angle that grows with the position."""

import tilelang
import tilelang.language as T


# tilescope: seq_len=4096, heads=32, dim=128
@tilelang.jit
def rope(seq_len, heads, dim, block=16, threads=128):
    half = dim // 2

    @T.prim_func
    def rope_kernel(
        X: T.Tensor((seq_len, heads, dim), "float16"),
        cosines: T.Tensor((seq_len, half), "float16"),
        sines: T.Tensor((seq_len, half), "float16"),
        Y: T.Tensor((seq_len, heads, dim), "float16"),
    ):
        with T.Kernel(seq_len // block, heads, threads=threads) as (bx, head):
            for i, j in T.Parallel(block, half):
                row = bx * block + i
                first = X[row, head, j]
                second = X[row, head, j + half]
                Y[row, head, j] = first * cosines[row, j] - second * sines[row, j]
                Y[row, head, j + half] = second * cosines[row, j] + first * sines[row, j]

    return rope_kernel
