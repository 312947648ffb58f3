# Copyright the tilescope authors. Licensed under the Apache License, Version 2.0.
"""Counts the tokens of each expert, and gives each token its place among them."""

import tilelang
import tilelang.language as T


# tilescope: tokens=4096, k=6, experts=64
@tilelang.jit
def moe_routing(tokens, k, experts, block=256):
    @T.prim_func
    def moe_routing_kernel(
        chosen: T.Tensor((tokens, k), "int32"),
        counts: T.Tensor((experts,), "int32"),
        places: T.Tensor((tokens, k), "int32"),
    ):
        with T.Kernel(tokens // block, threads=block) as bx:
            for i in T.Parallel(block):
                for n in T.serial(k):
                    places[bx * block + i, n] = T.atomic_add(counts[chosen[bx * block + i, n]], 1, return_prev=True)

    return moe_routing_kernel
