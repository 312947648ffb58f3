"""Buffers that are read before anything writes them."""

import tilelang
import tilelang.language as T


@tilelang.jit
def not_cleared(M=64, K=128, tile=32):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, M), "float16"), C: T.Tensor((M, M), "float32")):
        with T.Kernel(1, threads=128) as bx:
            A_s = T.alloc_shared((M, tile), "float16")
            B_s = T.alloc_shared((tile, M), "float16")
            C_l = T.alloc_fragment((M, M), "float32")
            for k in T.serial(K // tile):
                T.copy(A[0, k * tile], A_s)
                T.copy(B[k * tile, 0], B_s)
                T.gemm(A_s, B_s, C_l)
                #                ^^^ TS310 warning C_l
            T.copy(C_l, C)

    return main


@tilelang.jit
def never_written(N=128):
    @T.prim_func
    def main(C: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((N,), "float32")
            for i in T.Parallel(N):
                C[i] = s[i]
                #      ^ TS310 warning s

    return main


@tilelang.jit
def maximum_of_nothing(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), C: T.Tensor((M,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            f = T.alloc_fragment((M, N), "float32")
            most = T.alloc_fragment((M,), "float32")
            T.copy(A, f)
            T.reduce_max(f, most, dim=1, clear=False)
            #               ^^^^ TS310 warning most
            T.copy(most, C)

    return main
