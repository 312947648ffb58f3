# Copyright the tilescope authors. Licensed under the Apache License, Version 2.0.
"""One GEMM for each expert of a mixture, in one launch: rows are sorted by expert, each block works for one of them.

The host pads the rows of each expert to whole tiles and gives the expert of each tile.
"""

import tilelang
import tilelang.language as T


# tilescope: tiles=64, N=2048, K=1024, experts=8
@tilelang.jit
def gemm_grouped(tiles, N, K, experts, block_M=128, block_N=128, block_K=64, num_stages=3, threads=128):
    @T.prim_func
    def gemm_grouped_kernel(
        A: T.Tensor((tiles * block_M, K), "bfloat16"),
        B: T.Tensor((experts, N, K), "bfloat16"),
        expert_of: T.Tensor((tiles,), "int32"),
        C: T.Tensor((tiles * block_M, N), "bfloat16"),
    ):
        with T.Kernel(N // block_N, tiles, threads=threads) as (bx, tile):
            A_shared = T.alloc_shared((block_M, block_K), "bfloat16")
            B_shared = T.alloc_shared((block_N, block_K), "bfloat16")
            C_local = T.alloc_fragment((block_M, block_N), "float32")
            expert = expert_of[tile]

            T.clear(C_local)
            for k in T.Pipelined(K // block_K, num_stages=num_stages):
                T.copy(A[tile * block_M, k * block_K], A_shared)
                T.copy(B[expert, bx * block_N : (bx + 1) * block_N, k * block_K : (k + 1) * block_K], B_shared)
                T.gemm(A_shared, B_shared, C_local, transpose_B=True)
            T.copy(C_local, C[tile * block_M, bx * block_N])

    return gemm_grouped_kernel
