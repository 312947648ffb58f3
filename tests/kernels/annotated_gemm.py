import tilelang
import tilelang.language as T


@tilelang.jit(out_idx=[-1])
def matmul(M, N, K, block_M=128, block_N=128, block_K=32, dtype="float16", accum_dtype="float32"):
    @T.prim_func
    def gemm(
        A: T.Tensor((M, K), dtype),
#       ^ [1024, 2048] float16 global 4194304
        B: T.Tensor((K, N), dtype),
#       ^ [2048, 512] float16 global 2097152
        C: T.Tensor((M, N), accum_dtype),
#       ^ [1024, 512] float32 global 2097152
    ):
        with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M), threads=128) as (bx, by):
#            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ launch [4, 8] 128
            A_shared = T.alloc_shared((block_M, block_K), dtype)
#           ^^^^^^^^ [128, 32] float16 shared.dyn 8192
            B_shared, mask = T.alloc_shared((block_K, block_N), dtype), T.alloc_shared((block_M,), "bool")
#           ^^^^^^^^ [32, 128] float16 shared.dyn 8192
#                     ^^^^ [128] bool shared 128
            C_local = T.alloc_fragment(
#           ^^^^^^^ [128, 128] float32 local.fragment 65536
                (block_M, block_N),
                accum_dtype,
            )
            scale = T.alloc_var("int32", init=1)
#           ^^^^^ [1] int32 local.var 4
            T.clear(C_local)
#           ^^^^^^^^^^^^^^^^ fill C_local
            for k in T.Pipelined(T.ceildiv(K, block_K), num_stages=3):
#                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ pipeline 64 3
                T.copy(A[by * block_M, k * block_K], A_shared)
#               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ copy A[by * block_M, k * block_K] A_shared
                T.copy(B[k * block_K, bx * block_N], B_shared)
#               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ copy B[k * block_K, bx * block_N] B_shared
                T.gemm(A_shared, B_shared, C_local)
#               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ gemm A_shared B_shared C_local
            for i, j in T.Parallel(block_M, block_N):
#                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ parallel [128, 128]
                C_local[i, j] = T.max(C_local[i, j], 0)
            T.copy(C_local, C[by * block_M, bx * block_N])
#           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ copy C_local C[by * block_M, bx * block_N]

    return gemm


if __name__ == "__main__":
    kernel = matmul(1024, 512, K=2048)
