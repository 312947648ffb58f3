"""Kernels whose memory instructions conflict, or do not, to a known degree."""

import tilelang
import tilelang.language as T

NO_TMA = {"tl.disable_tma_lower": True, "tl.disable_warp_specialized": True}


@tilelang.jit(pass_configs=NO_TMA)
def transpose(N=256, tile=32, pad=0):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float32"), B: T.Tensor((N, N), "float32")):
        with T.Kernel(N // tile, N // tile, threads=128) as (bx, by):
            S = T.alloc_shared((tile, tile + pad), "float32")
            for i, j in T.Parallel(tile, tile):
                S[i, j] = A[by * tile + i, bx * tile + j]
            for i, j in T.Parallel(tile, tile):
                B[bx * tile + i, by * tile + j] = S[j, i]

    return main


@tilelang.jit(pass_configs=NO_TMA)
def gemm(M=256, N=256, K=256, bM=64, bN=64, bK=64, linear=False):
    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((K, N), "float16"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(T.ceildiv(N, bN), T.ceildiv(M, bM), threads=128) as (bx, by):
            A_s = T.alloc_shared((bM, bK), "float16")
            B_s = T.alloc_shared((bK, bN), "float16")
            C_l = T.alloc_fragment((bM, bN), "float32")
            if linear:
                T.annotate_layout(
                    {
                        A_s: tilelang.layout.make_linear_layout(A_s),
                        B_s: tilelang.layout.make_linear_layout(B_s),
                    }
                )
            T.clear(C_l)
            for k in T.Pipelined(T.ceildiv(K, bK), num_stages=2):
                T.copy(A[by * bM, k * bK], A_s)
                T.copy(B[k * bK, bx * bN], B_s)
                T.gemm(A_s, B_s, C_l)
            T.copy(C_l, C[by * bM, bx * bN])

    return main


@tilelang.jit(pass_configs=NO_TMA)
def epilogue(M=256, N=256, K=256, bM=64, bN=64, bK=64, linear=False):
    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((K, N), "float16"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(T.ceildiv(N, bN), T.ceildiv(M, bM), threads=128) as (bx, by):
            A_s = T.alloc_shared((bM, bK), "float16")
            B_s = T.alloc_shared((bK, bN), "float16")
            C_s = T.alloc_shared((bM, bN), "float16")
            C_l = T.alloc_fragment((bM, bN), "float32")
            if linear:
                T.annotate_layout({C_s: tilelang.layout.make_linear_layout(C_s)})
            T.clear(C_l)
            for k in T.Pipelined(T.ceildiv(K, bK), num_stages=2):
                T.copy(A[by * bM, k * bK], A_s)
                T.copy(B[k * bK, bx * bN], B_s)
                T.gemm(A_s, B_s, C_l)
            T.copy(C_l, C_s)
            T.copy(C_s, C[by * bM, bx * bN])

    return main


@tilelang.jit(pass_configs=NO_TMA)
def rows_of_vectors(N=128, width=64, take=8, pad=0):
    """Each thread reads ``take`` elements of a row of its own."""

    @T.prim_func
    def main(A: T.Tensor((N, width), "float16"), B: T.Tensor((N, take), "float16")):
        with T.Kernel(1, threads=128):
            S = T.alloc_shared((N, width + pad), "float16")
            for i, j in T.Parallel(N, width):
                S[i, j] = A[i, j]
            for i, j in T.Parallel(N, take):
                B[i, j] = S[i, j]

    return main


@tilelang.jit(pass_configs=NO_TMA)
def sums(N=128, width=64):
    """Each thread sums a column, then a row, of halves."""

    @T.prim_func
    def main(
        A: T.Tensor((N, width), "float16"), columns: T.Tensor((width,), "float32"), rows: T.Tensor((N,), "float32")
    ):
        with T.Kernel(1, threads=128):
            S = T.alloc_shared((N, width), "float16")
            column = T.alloc_fragment((width,), "float32")
            row = T.alloc_fragment((N,), "float32")
            for i, j in T.Parallel(N, width):
                S[i, j] = A[i, j]
            T.clear(column)
            T.clear(row)
            for i in T.serial(N):
                for j in T.Parallel(width):
                    column[j] += S[i, j]
            for j in T.serial(width):
                for i in T.Parallel(N):
                    row[i] += S[i, j]
            T.copy(column, columns)
            T.copy(row, rows)

    return main


@tilelang.jit(pass_configs=NO_TMA)
def columns_of_tensor(N=256, M=128):
    """Neighbouring threads read neighbouring rows of a tensor, and write halves side by side."""

    @T.prim_func
    def main(A: T.Tensor((N, M), "float32"), B: T.Tensor((M, N), "float16")):
        with T.Kernel(M, threads=128) as bx:
            for i in T.Parallel(N):
                B[bx, i] = A[i, bx]

    return main
