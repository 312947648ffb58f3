"""Accesses that stay inside, and tails that the compiler guards."""

import tilelang
import tilelang.language as T


@tilelang.jit
def tail(M=1000, N=500, tile=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(T.ceildiv(N, tile), T.ceildiv(M, tile), threads=128) as (bx, by):
            s = T.alloc_shared((tile, tile), "float32")
            T.copy(A[by * tile, bx * tile], s)
            for i, j in T.Parallel(tile, tile):
                C[by * tile + i, bx * tile + j] = s[i, j] + A[by * tile + i, bx * tile + j]

    return main


@tilelang.jit
def padded_row(M=64, N=100, width=128):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(M, threads=128) as bx:
            row = T.alloc_fragment((width,), "float32")
            T.copy(A[bx, 0:width], row)
            T.copy(row, C[bx, 0:width])

    return main


@tilelang.jit
def guarded_shift(N=1024, tile=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(N // tile, threads=tile) as bx:
            s = T.alloc_shared((tile,), "float32")
            T.copy(A[bx * tile], s)
            for i in T.Parallel(tile):
                C[bx * tile + i] = T.if_then_else(i + 1 < tile, s[i + 1], s[tile - 1])
            for i in T.Parallel(tile):
                if i >= 1:
                    C[bx * tile + i] = s[i - 1]

    return main


@tilelang.jit
def wrapped_and_clamped(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=N) as bx:
            s = T.alloc_shared((N,), "float32")
            T.copy(A, s)
            for i in T.Parallel(N):
                C[i] = s[(i + 1) % N] + s[T.min(i + 5, N - 1)] + s[T.max(i - 5, 0)] + s[-1]

    return main


@tilelang.jit
def prefetched(M=64, K=512, tile=64):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float32"), C: T.Tensor((M, K), "float32")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((2, M, tile), "float32")
            T.copy(A[0:M, 0:tile], s[0, 0:M, 0:tile])
            for k in T.serial(K // tile):
                T.copy(A[0:M, (k + 1) * tile : (k + 2) * tile], s[(k + 1) % 2, 0:M, 0:tile])
                T.copy(s[k % 2, 0:M, 0:tile], C[0:M, k * tile : (k + 1) * tile])

    return main


@tilelang.jit
def looked_up(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), at: T.Tensor((N,), "int32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=N) as bx:
            for i in T.Parallel(N):
                C[i] = A[at[i]]

    return main
