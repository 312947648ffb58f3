# Copyright the tilescope authors. Licensed under the Apache License, Version 2.0.
"""Top-k gating of a mixture of experts: the best experts of each token, and their softmax weights."""

import tilelang
import tilelang.language as T


# tilescope: tokens=4096, experts=64, k=6
@tilelang.jit
def moe_gating(tokens, experts, k, block=64, threads=128):
    @T.prim_func
    def moe_gating_kernel(
        logits: T.Tensor((tokens, experts), "float32"),
        weights: T.Tensor((tokens, k), "float32"),
        chosen: T.Tensor((tokens, k), "int32"),
    ):
        with T.Kernel(tokens // block, threads=threads) as bx:
            scores = T.alloc_fragment((block, experts), "float32")
            best = T.alloc_fragment((block,), "float32")
            first = T.alloc_fragment((block,), "float32")
            total = T.alloc_fragment((block,), "float32")
            matches = T.alloc_fragment((block, experts), "int32")
            expert = T.alloc_fragment((block,), "int32")

            T.copy(logits[bx * block, 0], scores)
            T.clear(total)
            for n in T.serial(k):
                T.reduce_max(scores, best, dim=1)
                for i, j in T.Parallel(block, experts):
                    matches[i, j] = T.if_then_else(scores[i, j] == best[i], j, experts)
                T.reduce_min(matches, expert, dim=1)
                for i in T.Parallel(block):
                    if n == 0:
                        first[i] = best[i]
                    total[i] += T.exp(best[i] - first[i])
                    weights[bx * block + i, n] = T.exp(best[i] - first[i])
                    chosen[bx * block + i, n] = expert[i]
                for i, j in T.Parallel(block, experts):
                    scores[i, j] = T.if_then_else(j == expert[i], -T.infinity("float32"), scores[i, j])
            T.sync_threads()
            for n in T.serial(k):
                for i in T.Parallel(block):
                    weights[bx * block + i, n] /= total[i]

    return moe_gating_kernel
