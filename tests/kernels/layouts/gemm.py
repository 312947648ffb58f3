import tilelang
import tilelang.language as T


@tilelang.jit
def kernel(M=128, N=64, K=128, block_M=64, block_N=32, block_K=64):
    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((K, N), "float16"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M), threads=128) as (bx, by):
            A_shared = T.alloc_shared((block_M, block_K), "float16")
            B_shared = T.alloc_shared((block_K, block_N), "float16")
            C_local = T.alloc_fragment((block_M, block_N), "float32")
            C_half = T.alloc_fragment((block_M, block_N), "float16")
            largest = T.alloc_fragment((block_M,), "float32")
            T.clear(C_local)
            for k in T.Pipelined(T.ceildiv(K, block_K), num_stages=2):
                T.copy(A[by * block_M, k * block_K], A_shared)
                T.copy(B[k * block_K, bx * block_N], B_shared)
                T.gemm(A_shared, B_shared, C_local)
            T.reduce_max(C_local, largest, dim=1)
            for i, j in T.Parallel(block_M, block_N):
                C_half[i, j] = C_local[i, j] / largest[i]
            T.copy(C_half, C[by * block_M, bx * block_N])

    return main
