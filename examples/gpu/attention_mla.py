# Copyright the tilescope authors. Licensed under the Apache License, Version 2.0.
"""Decoding with multi-head latent attention: all heads read one compressed cache, which is key and value at once."""

import math

import tilelang
import tilelang.language as T


# tilescope: batch=4, heads=128, cached=2048, dim=512, rope_dim=64
@tilelang.jit
def attention_mla(batch, heads, cached, dim, rope_dim, block_H=64, block_N=64, num_stages=2, threads=256):
    scale = math.log2(math.e) / math.sqrt(dim + rope_dim)

    @T.prim_func
    def attention_mla_kernel(
        Q: T.Tensor((batch, heads, dim), "bfloat16"),
        Q_rope: T.Tensor((batch, heads, rope_dim), "bfloat16"),
        KV: T.Tensor((batch, cached, dim), "bfloat16"),
        K_rope: T.Tensor((batch, cached, rope_dim), "bfloat16"),
        Output: T.Tensor((batch, heads, dim), "bfloat16"),
    ):
        with T.Kernel(heads // block_H, batch, threads=threads) as (bx, b):
            Q_shared = T.alloc_shared((block_H, dim), "bfloat16")
            Q_rope_shared = T.alloc_shared((block_H, rope_dim), "bfloat16")
            KV_shared = T.alloc_shared((block_N, dim), "bfloat16")
            K_rope_shared = T.alloc_shared((block_N, rope_dim), "bfloat16")
            weights = T.alloc_shared((block_H, block_N), "bfloat16")
            scores = T.alloc_fragment((block_H, block_N), "float32")
            output = T.alloc_fragment((block_H, dim), "float32")
            top = T.alloc_fragment((block_H,), "float32")
            top_before = T.alloc_fragment((block_H,), "float32")
            rescale = T.alloc_fragment((block_H,), "float32")
            tile_sum = T.alloc_fragment((block_H,), "float32")
            total = T.alloc_fragment((block_H,), "float32")

            T.copy(Q[b, bx * block_H : (bx + 1) * block_H, :], Q_shared)
            T.copy(Q_rope[b, bx * block_H : (bx + 1) * block_H, :], Q_rope_shared)
            T.clear(output)
            T.clear(total)
            T.fill(top, -T.infinity("float32"))
            for k in T.Pipelined(cached // block_N, num_stages=num_stages):
                T.copy(KV[b, k * block_N : (k + 1) * block_N, :], KV_shared)
                T.copy(K_rope[b, k * block_N : (k + 1) * block_N, :], K_rope_shared)
                T.clear(scores)
                T.gemm(Q_shared, KV_shared, scores, transpose_B=True, policy=T.GemmWarpPolicy.FullCol)
                T.gemm(Q_rope_shared, K_rope_shared, scores, transpose_B=True, policy=T.GemmWarpPolicy.FullCol)
                T.copy(top, top_before)
                T.reduce_max(scores, top, dim=1, clear=False)
                for i in T.Parallel(block_H):
                    rescale[i] = T.exp2((top_before[i] - top[i]) * scale)
                for i, j in T.Parallel(block_H, block_N):
                    scores[i, j] = T.exp2((scores[i, j] - top[i]) * scale)
                T.reduce_sum(scores, tile_sum, dim=1)
                T.copy(scores, weights)
                for i in T.Parallel(block_H):
                    total[i] = total[i] * rescale[i] + tile_sum[i]
                for i, j in T.Parallel(block_H, dim):
                    output[i, j] *= rescale[i]
                T.gemm(weights, KV_shared, output, policy=T.GemmWarpPolicy.FullCol)
            for i, j in T.Parallel(block_H, dim):
                output[i, j] /= total[i]
            T.copy(output, Output[b, bx * block_H : (bx + 1) * block_H, :])

    return attention_mla_kernel
