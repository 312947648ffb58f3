"""Tiles counted with a division that rounds down."""

import tilelang
import tilelang.language as T


@tilelang.jit
def grid(N=1000, tile=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(N // tile, threads=128) as bx:
            #^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ TS306 warning bx 896 1000 C
            s = T.alloc_shared((tile,), "float32")
            T.copy(A[bx * tile], s)
            T.copy(s, C[bx * tile])

    return main


@tilelang.jit
def loop(M=64, K=504, tile=64):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, M), "float16"), C: T.Tensor((M, M), "float32")):
        with T.Kernel(1, threads=128) as bx:
            A_s = T.alloc_shared((M, tile), "float16")
            B_s = T.alloc_shared((tile, M), "float16")
            C_l = T.alloc_fragment((M, M), "float32")
            T.clear(C_l)
            for k in T.Pipelined(K // tile, num_stages=2):
                    #^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ TS306 warning k 448 504 A B
                T.copy(A[0, k * tile], A_s)
                T.copy(B[k * tile, 0], B_s)
                T.gemm(A_s, B_s, C_l)
            T.copy(C_l, C)

    return main
