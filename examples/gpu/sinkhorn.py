# Copyright the tilescope authors. Licensed under the Apache License, Version 2.0.
"""Sinkhorn's iteration on many small matrices: rows and columns are normalised in turn until both sum to one.

Manifold-constrained hyper-connections mix residual streams with such matrices. A thread holds the matrix of a token.
"""

import tilelang
import tilelang.language as T


# tilescope: tokens=4096, streams=4
@tilelang.jit
def sinkhorn(tokens, streams, iterations=8, threads=128, epsilon=1e-6):
    @T.prim_func
    def sinkhorn_kernel(
        logits: T.Tensor((tokens, streams, streams), "float32"),
        mixes: T.Tensor((tokens, streams, streams), "float32"),
    ):
        with T.Kernel(tokens // threads, threads=threads) as bx:
            mix = T.alloc_local((streams, streams), "float32")
            total = T.alloc_local((1,), "float32")
            token = bx * threads + T.get_thread_binding()

            for i, j in T.grid(streams, streams):
                mix[i, j] = T.exp(logits[token, i, j])
            for _ in T.serial(iterations):
                for i in T.unroll(streams):
                    total[0] = epsilon
                    for j in T.unroll(streams):
                        total[0] += mix[i, j]
                    for j in T.unroll(streams):
                        mix[i, j] /= total[0]
                for j in T.unroll(streams):
                    total[0] = epsilon
                    for i in T.unroll(streams):
                        total[0] += mix[i, j]
                    for i in T.unroll(streams):
                        mix[i, j] /= total[0]
            for i, j in T.grid(streams, streams):
                mixes[token, i, j] = mix[i, j]

    return sinkhorn_kernel
