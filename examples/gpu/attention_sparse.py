# Copyright the tilescope authors. Licensed under the Apache License, Version 2.0.
"""Attention over chosen blocks of the cache: a list of key blocks for each tile of queries, -1 where it ends."""

import math

import tilelang
import tilelang.language as T


# tilescope: batch=1, heads=16, seq_len=4096, chosen=16, dim=128
@tilelang.jit
def attention_sparse(batch, heads, seq_len, chosen, dim, block_M=64, block_N=64, threads=128):
    scale = math.log2(math.e) / math.sqrt(dim)

    @T.prim_func
    def attention_sparse_kernel(
        Q: T.Tensor((batch, heads, seq_len, dim), "float16"),
        K: T.Tensor((batch, heads, seq_len, dim), "float16"),
        V: T.Tensor((batch, heads, seq_len, dim), "float16"),
        blocks: T.Tensor((batch, heads, seq_len // block_M, chosen), "int32"),
        Output: T.Tensor((batch, heads, seq_len, dim), "float16"),
    ):
        with T.Kernel(seq_len // block_M, heads, batch, threads=threads) as (bx, by, bz):
            Q_shared = T.alloc_shared((block_M, dim), "float16")
            K_shared = T.alloc_shared((block_N, dim), "float16")
            V_shared = T.alloc_shared((block_N, dim), "float16")
            scores = T.alloc_fragment((block_M, block_N), "float32")
            weights = T.alloc_fragment((block_M, block_N), "float16")
            output = T.alloc_fragment((block_M, dim), "float32")
            top = T.alloc_fragment((block_M,), "float32")
            top_before = T.alloc_fragment((block_M,), "float32")
            rescale = T.alloc_fragment((block_M,), "float32")
            tile_sum = T.alloc_fragment((block_M,), "float32")
            total = T.alloc_fragment((block_M,), "float32")

            T.copy(Q[bz, by, bx * block_M : (bx + 1) * block_M, :], Q_shared)
            T.clear(output)
            T.clear(total)
            T.fill(top, -T.infinity("float32"))
            for n in T.serial(chosen):
                block = blocks[bz, by, bx, n]
                if block >= 0:
                    T.copy(K[bz, by, block * block_N : (block + 1) * block_N, :], K_shared)
                    T.copy(V[bz, by, block * block_N : (block + 1) * block_N, :], V_shared)
                    T.clear(scores)
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
                    T.gemm(weights, V_shared, output, policy=T.GemmWarpPolicy.FullRow)
            for i, j in T.Parallel(block_M, dim):
                output[i, j] /= total[i]
            T.copy(output, Output[bz, by, bx * block_M : (bx + 1) * block_M, :])

    return attention_sparse_kernel
