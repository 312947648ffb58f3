"""Buffers that are written before they are read, or read only once they are."""

import tilelang
import tilelang.language as T


@tilelang.jit
def cleared(M=64, K=128, tile=32):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, M), "float16"), C: T.Tensor((M, M), "float32")):
        with T.Kernel(1, threads=128) as bx:
            A_s = T.alloc_shared((M, tile), "float16")
            B_s = T.alloc_shared((tile, M), "float16")
            C_l = T.alloc_fragment((M, M), "float32")
            for k in T.serial(K // tile):
                T.copy(A[0, k * tile], A_s)
                T.copy(B[k * tile, 0], B_s)
                T.gemm(A_s, B_s, C_l, clear_accum=k == 0)
            T.copy(C_l, C)

    return main


@tilelang.jit
def carried(M=64, N=512, tile=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            before = T.alloc_fragment((M, tile), "float32")
            now = T.alloc_fragment((M, tile), "float32")
            for k in T.serial(N // tile):
                T.copy(A[0, k * tile], now)
                if k > 0:
                    for i, j in T.Parallel(M, tile):
                        now[i, j] = now[i, j] - before[i, j]
                T.copy(A[0, k * tile], before)
                T.copy(now, C[0, k * tile])

    return main


@tilelang.jit
def reduced(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), C: T.Tensor((M,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            f = T.alloc_fragment((M, N), "float32")
            most = T.alloc_fragment((M,), "float32")
            T.copy(A, f)
            T.reduce_max(f, most, dim=1)
            T.copy(most, C)

    return main
