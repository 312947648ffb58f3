import tilelang
import tilelang.language as T


@tilelang.jit
def transpose(N=256, tile=32):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float32"), B: T.Tensor((N, N), "float32")):
        with T.Kernel(N // tile, N // tile, threads=128) as (bx, by):
            S = T.alloc_shared((tile, tile), "float32")
            for i, j in T.Parallel(tile, tile):
                S[i, j] = A[by * tile + i, bx * tile + j]
            for i, j in T.Parallel(tile, tile):
                B[bx * tile + i, by * tile + j] = S[j, i]
                #                                 ^ TS211 warning S 32-way "4-byte read" "128 bytes apart" "32 passes"

    return main


@tilelang.jit
def rows_of_vectors(N=128, width=64):
    @T.prim_func
    def main(A: T.Tensor((N, width), "float16"), B: T.Tensor((N, 8), "float16")):
        with T.Kernel(1, threads=128):
            S = T.alloc_shared((N, 64), "float16")
            for i, j in T.Parallel(N, width):
                S[i, j] = A[i, j]
            for i, j in T.Parallel(N, 8):
                B[i, j] = S[i, j]
                #         ^ TS211 warning S 8-way "16-byte read" "32 passes instead of 4"

    return main


# tilescope: target=cuda:sm_80
@tilelang.jit
def linear_gemm(M=128, N=128, K=128):
    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((K, N), "float16"),
        C: T.Tensor((M, N), "float32"),
    ):
        with T.Kernel(N // 64, M // 64, threads=128) as (bx, by):
            A_s = T.alloc_shared((64, 32), "float16")
            B_s = T.alloc_shared((32, 64), "float16")
            C_l = T.alloc_fragment((64, 64), "float32")
            T.annotate_layout(
                {A_s: tilelang.layout.make_linear_layout(A_s), B_s: tilelang.layout.make_linear_layout(B_s)}
            )
            T.clear(C_l)
            for k in T.serial(K // 32):
                T.copy(A[by * 64, k * 32], A_s)
                T.copy(B[k * 32, bx * 64], B_s)
                T.gemm(A_s, B_s, C_l)
                #      ^^^ TS211 info A_s 4-way ldmatrix
                #           ^^^ TS211 warning B_s 8-way ldmatrix
            T.copy(C_l, C[by * 64, bx * 64])

    return main


# tilescope: target=cuda:sm_80
@tilelang.jit
def once_after_a_loop(M=128, K=128):
    """A strong conflict that a block has once is information."""

    @T.prim_func
    def main(A: T.Tensor((M, K), "float32"), B: T.Tensor((M, M), "float32")):
        with T.Kernel(1, threads=128):
            S = T.alloc_shared((32, 32), "float32")
            total = T.alloc_fragment((32, 32), "float32")
            T.clear(total)
            for k in T.serial(K // 32):
                for i, j in T.Parallel(32, 32):
                    total[i, j] += A[i, k * 32 + j]
            for i, j in T.Parallel(32, 32):
                S[i, j] = total[i, j]
            for i, j in T.Parallel(32, 32):
                B[i, j] = S[j, i]
                #         ^ TS211 info S 32-way

    return main
