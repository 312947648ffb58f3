import tilelang
import tilelang.language as T


@tilelang.jit
def matmul(M=1024, N=1024, K=1024, bM=128, bN=128, bK=64):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((N, K), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(T.ceildiv(N, bN), T.ceildiv(M, bM), threads=256) as (bx, by):
            A_s = T.alloc_shared((bM, bK), "float16")
            B_s = T.alloc_shared((bN, bK), "float16")
            C_t = T.alloc_tmem((bM, bN), "float32")
            mbar = T.alloc_barrier(1)
            C_l = T.alloc_fragment((bM, bN), "float32")
            for k in T.Pipelined(T.ceildiv(K, bK), num_stages=2):
                T.copy(A[by * bM, k * bK], A_s)
                T.copy(B[bx * bN, k * bK], B_s)
                T.gemm(A_s, B_s, C_t, transpose_B=True, clear_accum=(k == 0), mbar=mbar)
            T.copy(C_t, C_l)
            T.copy(C_l, C[by * bM, bx * bN])

    return main
