import tilelang
import tilelang.language as T


@tilelang.jit
def padded_transpose(N=256, tile=32):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float32"), B: T.Tensor((N, N), "float32")):
        with T.Kernel(N // tile, N // tile, threads=128) as (bx, by):
            S = T.alloc_shared((tile, tile + 1), "float32")
            for i, j in T.Parallel(tile, tile):
                S[i, j] = A[by * tile + i, bx * tile + j]
            for i, j in T.Parallel(tile, tile):
                B[bx * tile + i, by * tile + j] = S[j, i]

    return main


@tilelang.jit
def broadcast(N=128, width=64):
    """Columns by neighbours, and one element by all."""

    @T.prim_func
    def main(A: T.Tensor((N, width), "float16"), B: T.Tensor((N, width), "float16")):
        with T.Kernel(1, threads=128):
            S = T.alloc_shared((N, width), "float16")
            for i, j in T.Parallel(N, width):
                S[i, j] = A[i, j]
            for i, j in T.Parallel(N, width):
                B[i, j] = S[i, j] + S[0, 0]

    return main


# tilescope: target=cuda:sm_80
@tilelang.jit
def swizzled_gemm(M=128, N=128, K=128):
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
            T.clear(C_l)
            for k in T.serial(K // 32):
                T.copy(A[by * 64, k * 32], A_s)
                T.copy(B[k * 32, bx * 64], B_s)
                T.gemm(A_s, B_s, C_l)
            T.copy(C_l, C[by * 64, bx * 64])

    return main
