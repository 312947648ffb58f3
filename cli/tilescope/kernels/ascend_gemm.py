# Copyright the tilescope authors. Licensed under the Apache License, Version 2.0.
"""C = A × Bᵀ on the cube unit of an Ascend NPU: operands through L1, the accumulator in L0C."""

import tilelang
import tilelang.ascend.language as T


@tilelang.jit
def matmul_nt(M=1024, N=1024, K=1024, block_M=128, block_N=128, block_K=64):
    blocks_N = T.ceildiv(N, block_N)

    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((N, K), "float16"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(T.ceildiv(M, block_M) * blocks_N) as block:
            by = block // blocks_N
            bx = block % blocks_N
            A_l1 = T.alloc_l1((block_M, block_K), "float16")
            B_l1 = T.alloc_l1((block_N, block_K), "float16")
            C_l0 = T.alloc_l0c((block_M, block_N), "float32")

            for k in T.serial(T.ceildiv(K, block_K)):
                T.copy(A[by * block_M, k * block_K], A_l1)
                T.copy(B[bx * block_N, k * block_K], B_l1)
                T.gemm(A_l1, B_l1, C_l0, transpose_B=True, clear_accum=(k == 0))
            T.copy(C_l0, C[by * block_M, bx * block_N])

    return main
