# A GEMM whose second operand is packed, two 4-bit integers a byte, with a scale for each column.
import tilelang
import tilelang.language as T


@tilelang.jit
def matmul(M=256, N=256, K=256, block_M=64, block_N=64, block_K=64, num_stages=2, threads=128):
    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((N, K // 2), "uint8"),
        Scales: T.Tensor((N,), "float16"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M), threads=threads) as (bx, by):
            A_shared = T.alloc_shared((block_M, block_K), "float16")
            B_packed = T.alloc_shared((block_N, block_K // 2), "uint8")
            B_local = T.alloc_fragment((block_N, block_K // 2), "uint8")
            B_values = T.alloc_fragment((block_N, block_K), "float16")
            B_shared = T.alloc_shared((block_N, block_K), "float16")
            scales = T.alloc_shared((block_N,), "float16")
            C_local = T.alloc_fragment((block_M, block_N), "float32")
            T.copy(Scales[bx * block_N], scales)
            T.clear(C_local)
            for k in T.Pipelined(T.ceildiv(K, block_K), num_stages=num_stages):
                T.copy(A[by * block_M, k * block_K], A_shared)
                T.copy(B[bx * block_N, k * block_K // 2], B_packed)
                T.copy(B_packed, B_local)
                for i, j in T.Parallel(block_N, block_K):
                    B_values[i, j] = T.Cast(
                        "float16", (B_local[i, j // 2] >> T.Cast("uint8", (j % 2) * 4)) & T.uint8(15)
                    ) - T.float16(8)
                for i, j in T.Parallel(block_N, block_K):
                    B_values[i, j] = B_values[i, j] * scales[i]
                T.copy(B_values, B_shared)
                T.gemm(A_shared, B_shared, C_local, transpose_B=True)
            T.copy(C_local, C[by * block_M, bx * block_N])

    return main
