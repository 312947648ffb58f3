# Copyright the tilescope authors. Licensed under the Apache License, Version 2.0.
"""A gate over looked-up memories: the better its key suits the hidden state, the more of a memory is added."""

import math

import tilelang
import tilelang.language as T


# tilescope: tokens=4096, dim=1024, rows=65536
@tilelang.jit
def engram_gate(tokens, dim, rows, block=4, threads=128):
    scale = 1 / math.sqrt(dim)

    @T.prim_func
    def engram_gate_kernel(
        hidden: T.Tensor((tokens, dim), "bfloat16"),
        keys: T.Tensor((rows, dim), "bfloat16"),
        values: T.Tensor((rows, dim), "bfloat16"),
        index: T.Tensor((tokens,), "int32"),
        output: T.Tensor((tokens, dim), "bfloat16"),
    ):
        with T.Kernel(tokens // block, threads=threads) as bx:
            h = T.alloc_fragment((block, dim), "float32")
            product = T.alloc_fragment((block, dim), "float32")
            gate = T.alloc_fragment((block,), "float32")

            for i, j in T.Parallel(block, dim):
                h[i, j] = hidden[bx * block + i, j]
                product[i, j] = h[i, j] * keys[index[bx * block + i], j]
            T.reduce_sum(product, gate, dim=1)
            for i in T.Parallel(block):
                gate[i] = T.sigmoid(gate[i] * scale)
            for i, j in T.Parallel(block, dim):
                output[bx * block + i, j] = h[i, j] + gate[i] * values[index[bx * block + i], j]

    return engram_gate_kernel
