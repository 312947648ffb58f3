# The kernels whose profiles are in tests/data/profiles/h200: a GEMM with a ReLU, and attention.
import math

import tilelang
import tilelang.language as T


@tilelang.jit
def matmul(M=4096, N=4096, K=4096, block_M=128, block_N=256, block_K=64, num_stages=3, threads=256):
    @T.prim_func
    def gemm_relu(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((K, N), "float16"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(T.ceildiv(N, block_N), T.ceildiv(M, block_M), threads=threads) as (bx, by):
            A_shared = T.alloc_shared((block_M, block_K), "float16")
            B_shared = T.alloc_shared((block_K, block_N), "float16")
            C_local = T.alloc_fragment((block_M, block_N), "float32")
            T.clear(C_local)
            for ko in T.Pipelined(T.ceildiv(K, block_K), num_stages=num_stages):
                T.copy(A[by * block_M, ko * block_K], A_shared)
                T.copy(B[ko * block_K, bx * block_N], B_shared)
                T.gemm(A_shared, B_shared, C_local)
            for i, j in T.Parallel(block_M, block_N):
                C_local[i, j] = T.max(C_local[i, j], 0)
            T.copy(C_local, C[by * block_M, bx * block_N])

    return gemm_relu


@tilelang.jit
def attention(batch=4, heads=16, seq_len=4096, dim=128, block_M=128, block_N=128, num_stages=2, threads=256):
    shape = (batch, seq_len, heads, dim)
    scale = math.log2(math.e) / math.sqrt(dim)

    @T.prim_func
    def attention_forward(
        Q: T.Tensor(shape, "float16"),
        K: T.Tensor(shape, "float16"),
        V: T.Tensor(shape, "float16"),
        Output: T.Tensor(shape, "float16"),
    ):
        with T.Kernel(T.ceildiv(seq_len, block_M), heads, batch, threads=threads) as (bx, by, bz):
            Q_shared = T.alloc_shared((block_M, dim), "float16")
            K_shared = T.alloc_shared((block_N, dim), "float16")
            V_shared = T.alloc_shared((block_N, dim), "float16")
            scores = T.alloc_fragment((block_M, block_N), "float32")
            weights = T.alloc_fragment((block_M, block_N), "float16")
            output = T.alloc_fragment((block_M, dim), "float32")
            row_max = T.alloc_fragment((block_M,), "float32")
            row_max_before = T.alloc_fragment((block_M,), "float32")
            rescale = T.alloc_fragment((block_M,), "float32")
            tile_sum = T.alloc_fragment((block_M,), "float32")
            row_sum = T.alloc_fragment((block_M,), "float32")

            T.copy(Q[bz, bx * block_M : (bx + 1) * block_M, by, :], Q_shared)
            T.fill(output, 0)
            T.fill(row_sum, 0)
            T.fill(row_max, -T.infinity("float32"))
            for k in T.Pipelined(T.ceildiv(seq_len, block_N), num_stages=num_stages):
                T.copy(K[bz, k * block_N : (k + 1) * block_N, by, :], K_shared)
                T.clear(scores)
                T.gemm(Q_shared, K_shared, scores, transpose_B=True, policy=T.GemmWarpPolicy.FullRow)
                T.copy(row_max, row_max_before)
                T.reduce_max(scores, row_max, dim=1, clear=False)
                for i in T.Parallel(block_M):
                    rescale[i] = T.exp2((row_max_before[i] - row_max[i]) * scale)
                for i, j in T.Parallel(block_M, block_N):
                    scores[i, j] = T.exp2((scores[i, j] - row_max[i]) * scale)
                T.reduce_sum(scores, tile_sum, dim=1)
                for i in T.Parallel(block_M):
                    row_sum[i] = row_sum[i] * rescale[i] + tile_sum[i]
                for i, j in T.Parallel(block_M, dim):
                    output[i, j] *= rescale[i]
                T.copy(scores, weights)
                T.copy(V[bz, k * block_N : (k + 1) * block_N, by, :], V_shared)
                T.gemm(weights, V_shared, output, policy=T.GemmWarpPolicy.FullRow)
            for i, j in T.Parallel(block_M, dim):
                output[i, j] /= row_sum[i]
            T.copy(output, Output[bz, bx * block_M : (bx + 1) * block_M, by, :])

    return attention_forward
