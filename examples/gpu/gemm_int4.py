# Copyright the tilescope authors. Licensed under the Apache License, Version 2.0.
"""C = A × Bᵀ with B in signed 4-bit integers, two a byte, and a scale for each row and group of 64 columns."""

import tilelang
import tilelang.language as T


@T.macro
def unpacked(packed, values, scales, block_N, block_K):
    for i, j in T.Parallel(block_N, block_K):
        nibble = (packed[i, j // 2] >> T.Cast("uint8", (j % 2) * 4)) & T.uint8(15)
        values[i, j] = (T.Cast("float16", nibble) - T.float16(8)) * scales[i]


# tilescope: M=512, N=4096, K=4096
@tilelang.jit
def gemm_int4(M, N, K, block_M=64, block_N=128, block_K=64, num_stages=2, threads=128):
    @T.prim_func
    def gemm_int4_kernel(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((N, K // 2), "uint8"),
        scales: T.Tensor((K // block_K, N), "float16"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(N // block_N, M // block_M, threads=threads) as (bx, by):
            A_shared = T.alloc_shared((block_M, block_K), "float16")
            B_packed = T.alloc_shared((block_N, block_K // 2), "uint8")
            B_scales = T.alloc_shared((block_N,), "float16")
            B_values = T.alloc_fragment((block_N, block_K), "float16")
            B_shared = T.alloc_shared((block_N, block_K), "float16")
            C_local = T.alloc_fragment((block_M, block_N), "float32")

            T.clear(C_local)
            for k in T.Pipelined(K // block_K, num_stages=num_stages):
                T.copy(A[by * block_M, k * block_K], A_shared)
                T.copy(B[bx * block_N, k * block_K // 2], B_packed)
                T.copy(scales[k, bx * block_N : (bx + 1) * block_N], B_scales)
                unpacked(B_packed, B_values, B_scales, block_N, block_K)
                T.copy(B_values, B_shared)
                T.gemm(A_shared, B_shared, C_local, transpose_B=True)
            T.copy(C_local, C[by * block_M, bx * block_N])

    return gemm_int4_kernel
