# Copyright the tilescope authors. Licensed under the Apache License, Version 2.0.
"""One new token against a long cache: the cache is split over blocks, a second kernel joins their softmaxes.

Query heads of one key-value head form the rows of a tile, padded to what a matrix instruction takes.
"""

import math

import tilelang
import tilelang.language as T


# tilescope: batch=8, heads=32, kv_heads=8, cached=8192, dim=128
@tilelang.jit
def decode_parts(batch, heads, kv_heads, cached, dim, parts=8, block_M=64, block_N=64, num_stages=2, threads=128):
    group = heads // kv_heads
    length = cached // parts
    scale = math.log2(math.e) / math.sqrt(dim)

    @T.prim_func
    def decode_parts_kernel(
        Q: T.Tensor((batch, heads, dim), "float16"),
        K: T.Tensor((batch, cached, kv_heads, dim), "float16"),
        V: T.Tensor((batch, cached, kv_heads, dim), "float16"),
        part_output: T.Tensor((batch, heads, parts, dim), "float32"),
        part_log: T.Tensor((batch, heads, parts), "float32"),
    ):
        with T.Kernel(kv_heads, parts, batch, threads=threads) as (head, part, b):
            Q_shared = T.alloc_shared((block_M, dim), "float16")
            K_shared = T.alloc_shared((block_N, dim), "float16")
            V_shared = T.alloc_shared((block_N, dim), "float16")
            scores = T.alloc_fragment((block_M, block_N), "float32")
            weights = T.alloc_fragment((block_M, block_N), "float16")
            output = T.alloc_fragment((block_M, dim), "float32")
            top = T.alloc_fragment((block_M,), "float32")
            top_before = T.alloc_fragment((block_M,), "float32")
            tile_sum = T.alloc_fragment((block_M,), "float32")
            total = T.alloc_fragment((block_M,), "float32")

            for i, j in T.Parallel(block_M, dim):
                Q_shared[i, j] = T.if_then_else(i < group, Q[b, head * group + T.min(i, group - 1), j], 0)
            T.clear(output)
            T.clear(total)
            T.fill(top, -T.infinity("float32"))
            for k in T.Pipelined(length // block_N, num_stages=num_stages):
                start = part * length + k * block_N
                T.copy(K[b, start : start + block_N, head, :], K_shared)
                T.copy(V[b, start : start + block_N, head, :], V_shared)
                T.clear(scores)
                T.gemm(Q_shared, K_shared, scores, transpose_B=True, policy=T.GemmWarpPolicy.FullRow)
                T.copy(top, top_before)
                T.reduce_max(scores, top, dim=1, clear=False)
                for i, j in T.Parallel(block_M, block_N):
                    scores[i, j] = T.exp2((scores[i, j] - top[i]) * scale)
                T.reduce_sum(scores, tile_sum, dim=1)
                for i in T.Parallel(block_M):
                    total[i] = total[i] * T.exp2((top_before[i] - top[i]) * scale) + tile_sum[i]
                for i, j in T.Parallel(block_M, dim):
                    output[i, j] *= T.exp2((top_before[i] - top[i]) * scale)
                T.copy(scores, weights)
                T.gemm(weights, V_shared, output, policy=T.GemmWarpPolicy.FullRow)
            for i, j in T.Parallel(block_M, dim):
                if i < group:
                    part_output[b, head * group + i, part, j] = output[i, j] / total[i]
            for i in T.Parallel(block_M):
                if i < group:
                    part_log[b, head * group + i, part] = T.log2(total[i]) + top[i] * scale

    return decode_parts_kernel


# tilescope: batch=8, heads=32, dim=128
@tilelang.jit
def decode_join(batch, heads, dim, parts=8, threads=128):
    @T.prim_func
    def decode_join_kernel(
        part_output: T.Tensor((batch, heads, parts, dim), "float32"),
        part_log: T.Tensor((batch, heads, parts), "float32"),
        Output: T.Tensor((batch, heads, dim), "float16"),
    ):
        with T.Kernel(heads, batch, threads=threads) as (head, b):
            logs = T.alloc_fragment((parts,), "float32")
            top = T.alloc_fragment((1,), "float32")
            total = T.alloc_fragment((1,), "float32")
            output = T.alloc_fragment((dim,), "float32")

            T.copy(part_log[b, head, :], logs)
            T.reduce_max(logs, top, dim=0)
            for i in T.Parallel(parts):
                logs[i] = T.exp2(logs[i] - top[0])
            T.reduce_sum(logs, total, dim=0)
            T.clear(output)
            for part in T.serial(parts):
                for j in T.Parallel(dim):
                    output[j] += part_output[b, head, part, j] * T.exp2(part_log[b, head, part] - top[0])
            for j in T.Parallel(dim):
                output[j] /= total[0]
            T.copy(output, Output[b, head, :])

    return decode_join_kernel
