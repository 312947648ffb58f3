import tilelang
import tilelang.language as T


@tilelang.jit
def gemm(M=128, N=128, K=1001):
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
            for k in T.Pipelined(T.ceildiv(K, 32), num_stages=2):
                T.copy(A[by * 64, k * 32], A_s)
#               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ TS214 warning A "2002 bytes" "2 bytes at a time" "producer's threads"
                T.copy(B[k * 32, bx * 64], B_s)
                T.gemm(A_s, B_s, C_l)
            T.copy(C_l, C[by * 64, bx * 64])

    return main


@tilelang.jit
def once(M=128, N=100):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float16"), B: T.Tensor((M, 64), "float32")):
        with T.Kernel(M // 64, threads=128) as bx:
            S = T.alloc_shared((64, 64), "float16")
            T.copy(A[bx * 64, 0], S)
#           ^^^^^^^^^^^^^^^^^^^^^^^^ TS214 info A "200 bytes"
            for i, j in T.Parallel(64, 64):
                B[bx * 64 + i, j] = S[i, j]

    return main
