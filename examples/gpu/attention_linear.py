# Copyright the tilescope authors. Licensed under the Apache License, Version 2.0.
"""Causal linear attention in chunks: within a chunk a masked product, between chunks a state of key × value."""

import tilelang
import tilelang.language as T


# tilescope: batch=2, heads=16, seq_len=4096, dim=64
@tilelang.jit
def attention_linear(batch, heads, seq_len, dim, chunk=64, num_stages=2, threads=128):
    @T.prim_func
    def attention_linear_kernel(
        Q: T.Tensor((batch, seq_len, heads, dim), "float16"),
        K: T.Tensor((batch, seq_len, heads, dim), "float16"),
        V: T.Tensor((batch, seq_len, heads, dim), "float16"),
        Output: T.Tensor((batch, seq_len, heads, dim), "float16"),
    ):
        with T.Kernel(heads, batch, threads=threads) as (head, b):
            Q_shared = T.alloc_shared((chunk, dim), "float16")
            K_shared = T.alloc_shared((chunk, dim), "float16")
            V_shared = T.alloc_shared((chunk, dim), "float16")
            state_shared = T.alloc_shared((dim, dim), "float16")
            weights_shared = T.alloc_shared((chunk, chunk), "float16")
            weights = T.alloc_fragment((chunk, chunk), "float32")
            output = T.alloc_fragment((chunk, dim), "float32")
            state = T.alloc_fragment((dim, dim), "float32")

            T.clear(state)
            for c in T.Pipelined(seq_len // chunk, num_stages=num_stages):
                T.copy(Q[b, c * chunk : (c + 1) * chunk, head, :], Q_shared)
                T.copy(K[b, c * chunk : (c + 1) * chunk, head, :], K_shared)
                T.copy(V[b, c * chunk : (c + 1) * chunk, head, :], V_shared)
                T.clear(weights)
                T.gemm(Q_shared, K_shared, weights, transpose_B=True)
                for i, j in T.Parallel(chunk, chunk):
                    weights[i, j] = T.if_then_else(i >= j, weights[i, j], 0)
                T.copy(weights, weights_shared)
                T.copy(state, state_shared)
                T.clear(output)
                T.gemm(weights_shared, V_shared, output)
                T.gemm(Q_shared, state_shared, output)
                T.gemm(K_shared, V_shared, state, transpose_A=True)
                T.copy(output, Output[b, c * chunk : (c + 1) * chunk, head, :])

    return attention_linear_kernel
