# Copyright the tilescope authors. Licensed under the Apache License, Version 2.0.
"""C = A × Bᵀ in FP8 with scales for blocks of 128 (A's for each row, B's for 128 rows), added up in float32."""

import tilelang
import tilelang.language as T


# tilescope: M=1024, N=4096, K=4096 target=cuda:sm_90a
@tilelang.jit
def gemm_fp8_scaled(M, N, K, block_M=128, block_N=128, num_stages=3, threads=256):
    block_K = 128

    @T.prim_func
    def gemm_fp8_scaled_kernel(
        A: T.Tensor((M, K), "float8_e4m3fn"),
        B: T.Tensor((N, K), "float8_e4m3fn"),
        A_scales: T.Tensor((K // block_K, M), "float32"),
        B_scales: T.Tensor((N // block_N, K // block_K), "float32"),
        C: T.Tensor((M, N), "bfloat16"),
    ):
        with T.Kernel(N // block_N, M // block_M, threads=threads) as (bx, by):
            A_shared = T.alloc_shared((block_M, block_K), "float8_e4m3fn")
            B_shared = T.alloc_shared((block_N, block_K), "float8_e4m3fn")
            rows = T.alloc_shared((block_M,), "float32")
            partial = T.alloc_fragment((block_M, block_N), "float32")
            total = T.alloc_fragment((block_M, block_N), "float32")

            T.clear(total)
            for k in T.Pipelined(K // block_K, num_stages=num_stages):
                T.copy(A[by * block_M, k * block_K], A_shared)
                T.copy(B[bx * block_N, k * block_K], B_shared)
                T.copy(A_scales[k, by * block_M : (by + 1) * block_M], rows)
                T.clear(partial)
                T.gemm(A_shared, B_shared, partial, transpose_B=True)
                for i, j in T.Parallel(block_M, block_N):
                    total[i, j] += partial[i, j] * rows[i] * B_scales[bx, k]
            T.copy(total, C[by * block_M, bx * block_N])

    return gemm_fp8_scaled_kernel
