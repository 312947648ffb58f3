# Copyright the tilescope authors. Licensed under the Apache License, Version 2.0.
"""C = A × Bᵀ on the cube unit of an Ascend NPU: operands through L1, the accumulator in L0C."""

import tilelang
import tilelang.ascend.language as T


# tilescope: M=2048, N=2048, K=2048 target=ascend
@tilelang.jit
def ascend_matmul(M, N, K, block_M=128, block_N=256, block_K=64):
    columns = N // block_N

    @T.prim_func
    def ascend_matmul_kernel(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((N, K), "float16"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(M // block_M * columns) as block:
            by = block // columns
            bx = block % columns
            A_l1 = T.alloc_l1((block_M, block_K), "float16")
            B_l1 = T.alloc_l1((block_N, block_K), "float16")
            C_l0 = T.alloc_l0c((block_M, block_N), "float32")

            for k in T.serial(K // block_K):
                T.copy(A[by * block_M, k * block_K], A_l1)
                T.copy(B[bx * block_N, k * block_K], B_l1)
                T.gemm(A_l1, B_l1, C_l0, transpose_B=True, clear_accum=(k == 0))
            T.copy(C_l0, C[by * block_M, bx * block_N])

    return ascend_matmul_kernel
