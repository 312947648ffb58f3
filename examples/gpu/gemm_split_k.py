# Copyright the tilescope authors. Licensed under the Apache License, Version 2.0.
"""C += A × B for few output tiles and a long reduction: blocks share the reduction and add up in global memory.

C holds zeros before the launch.
"""

import tilelang
import tilelang.language as T


# tilescope: M=256, N=256, K=16384
@tilelang.jit
def gemm_split_k(M, N, K, split_k=8, block_M=64, block_N=64, block_K=64, num_stages=3, threads=128):
    part = K // split_k

    @T.prim_func
    def gemm_split_k_kernel(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((K, N), "float16"),
        C: T.Tensor((M, N), "float32"),
    ):
        with T.Kernel(N // block_N, M // block_M, split_k, threads=threads) as (bx, by, bz):
            A_shared = T.alloc_shared((block_M, block_K), "float16")
            B_shared = T.alloc_shared((block_K, block_N), "float16")
            C_local = T.alloc_fragment((block_M, block_N), "float32")

            T.clear(C_local)
            for k in T.Pipelined(part // block_K, num_stages=num_stages):
                T.copy(A[by * block_M, bz * part + k * block_K], A_shared)
                T.copy(B[bz * part + k * block_K, bx * block_N], B_shared)
                T.gemm(A_shared, B_shared, C_local)
            T.atomic_add(C[by * block_M, bx * block_N], C_local)

    return gemm_split_k_kernel
