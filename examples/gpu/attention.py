# Copyright the tilescope authors. Licensed under the Apache License, Version 2.0.
"""Causal attention with an online softmax; query heads share key-value heads in groups (GQA).

Tensors are (batch, sequence, heads, dim). The softmax works in powers of two, which the hardware computes directly.
"""

import math

import tilelang
import tilelang.language as T


# tilescope: batch=1, heads=32, kv_heads=8, seq_len=4096, dim=128
@tilelang.jit
def attention(batch, heads, kv_heads, seq_len, dim, block_M=128, block_N=128, num_stages=2, threads=256):
    group = heads // kv_heads
    scale = math.log2(math.e) / math.sqrt(dim)

    @T.prim_func
    def attention_kernel(
        Q: T.Tensor((batch, seq_len, heads, dim), "bfloat16"),
        K: T.Tensor((batch, seq_len, kv_heads, dim), "bfloat16"),
        V: T.Tensor((batch, seq_len, kv_heads, dim), "bfloat16"),
        Output: T.Tensor((batch, seq_len, heads, dim), "bfloat16"),
    ):
        with T.Kernel(T.ceildiv(seq_len, block_M), heads, batch, threads=threads) as (bx, by, bz):
            Q_shared = T.alloc_shared((block_M, dim), "bfloat16")
            K_shared = T.alloc_shared((block_N, dim), "bfloat16")
            V_shared = T.alloc_shared((block_N, dim), "bfloat16")
            scores = T.alloc_fragment((block_M, block_N), "float32")
            weights = T.alloc_fragment((block_M, block_N), "bfloat16")
            output = T.alloc_fragment((block_M, dim), "float32")
            top = T.alloc_fragment((block_M,), "float32")
            top_before = T.alloc_fragment((block_M,), "float32")
            rescale = T.alloc_fragment((block_M,), "float32")
            tile_sum = T.alloc_fragment((block_M,), "float32")
            total = T.alloc_fragment((block_M,), "float32")

            T.copy(Q[bz, bx * block_M : (bx + 1) * block_M, by, :], Q_shared)
            T.clear(output)
            T.clear(total)
            T.fill(top, -T.infinity("float32"))
            for k in T.Pipelined(T.ceildiv((bx + 1) * block_M, block_N), num_stages=num_stages):
                T.copy(K[bz, k * block_N : (k + 1) * block_N, by // group, :], K_shared)
                for i, j in T.Parallel(block_M, block_N):
                    scores[i, j] = T.if_then_else(bx * block_M + i >= k * block_N + j, 0, -T.infinity("float32"))
                T.gemm(Q_shared, K_shared, scores, transpose_B=True, policy=T.GemmWarpPolicy.FullRow)

                T.copy(top, top_before)
                T.reduce_max(scores, top, dim=1, clear=False)
                for i in T.Parallel(block_M):
                    rescale[i] = T.exp2((top_before[i] - top[i]) * scale)
                for i, j in T.Parallel(block_M, block_N):
                    scores[i, j] = T.exp2((scores[i, j] - top[i]) * scale)
                T.reduce_sum(scores, tile_sum, dim=1)
                for i in T.Parallel(block_M):
                    total[i] = total[i] * rescale[i] + tile_sum[i]
                for i, j in T.Parallel(block_M, dim):
                    output[i, j] *= rescale[i]

                T.copy(scores, weights)
                T.copy(V[bz, k * block_N : (k + 1) * block_N, by // group, :], V_shared)
                T.gemm(weights, V_shared, output, policy=T.GemmWarpPolicy.FullRow)
            for i, j in T.Parallel(block_M, dim):
                output[i, j] /= total[i]
            T.copy(output, Output[bz, bx * block_M : (bx + 1) * block_M, by, :])

    return attention_kernel
