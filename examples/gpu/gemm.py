# Copyright the tilescope authors. Licensed under the Apache License, Version 2.0.
"""C = relu(A × B): tiles by TMA or asynchronous copies, three stages in flight, the epilogue on registers."""

import tilelang
import tilelang.language as T


# tilescope: M=4096, N=4096, K=4096
@tilelang.jit
def gemm_relu(M, N, K, block_M=128, block_N=128, block_K=64, num_stages=3, threads=128, dtype="float16"):
    @T.prim_func
    def gemm_relu_kernel(
        A: T.Tensor((M, K), dtype),
        B: T.Tensor((K, N), dtype),
        C: T.Tensor((M, N), dtype),
    ):
        with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M), threads=threads) as (bx, by):
            A_shared = T.alloc_shared((block_M, block_K), dtype)
            B_shared = T.alloc_shared((block_K, block_N), dtype)
            C_local = T.alloc_fragment((block_M, block_N), "float32")
            C_shared = T.alloc_shared((block_M, block_N), dtype)

            T.use_swizzle(8)
            T.clear(C_local)
            for k in T.Pipelined(T.ceildiv(K, block_K), num_stages=num_stages):
                T.copy(A[by * block_M, k * block_K], A_shared)
                T.copy(B[k * block_K, bx * block_N], B_shared)
                T.gemm(A_shared, B_shared, C_local)
            for i, j in T.Parallel(block_M, block_N):
                C_local[i, j] = T.max(C_local[i, j], 0)
            T.copy(C_local, C_shared)
            T.copy(C_shared, C[by * block_M, bx * block_N])

    return gemm_relu_kernel
