# A GEMM whose blocks share the reduction axis and add up in global memory.
import tilelang
import tilelang.language as T


@tilelang.jit
def matmul(M=256, N=256, K=1024, block_M=64, block_N=64, block_K=32, split_k=4, num_stages=2, threads=128):
    part = K // split_k

    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((K, N), "float16"),
        C: T.Tensor((M, N), "float32"),
    ):
        with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M), split_k, threads=threads) as (bx, by, bz):
            A_shared = T.alloc_shared((block_M, block_K), "float16")
            B_shared = T.alloc_shared((block_K, block_N), "float16")
            C_local = T.alloc_fragment((block_M, block_N), "float32")
            C_shared = T.alloc_shared((block_M, block_N), "float32")
            if bz == 0:
                for i, j in T.Parallel(block_M, block_N):
                    C[by * block_M + i, bx * block_N + j] = T.float32(0)
            T.clear(C_local)
            for k in T.Pipelined(T.ceildiv(part, block_K), num_stages=num_stages):
                T.copy(A[by * block_M, bz * part + k * block_K], A_shared)
                T.copy(B[bz * part + k * block_K, bx * block_N], B_shared)
                T.gemm(A_shared, B_shared, C_local)
            T.copy(C_local, C_shared)
            for i, j in T.Parallel(block_M, block_N):
                T.atomic_add(C[by * block_M + i, bx * block_N + j], C_shared[i, j])

    return main
