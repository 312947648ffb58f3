"""Grids that reach every tile, and tensors that are larger than what is written on purpose."""

import tilelang
import tilelang.language as T


@tilelang.jit
def in_order(M=512, N=256, tile=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(T.ceildiv(N, tile), T.ceildiv(M, tile), threads=128) as (bx, by):
            s = T.alloc_shared((tile, tile), "float16")
            T.copy(A[by * tile, bx * tile], s)
            T.copy(s, C[by * tile, bx * tile])

    return main


@tilelang.jit
def persistent(M=512, N=256, tile=64, workers=24):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(workers, threads=128) as bx:
            s = T.alloc_shared((tile, tile), "float16")
            for w in T.serial(T.ceildiv(M // tile * (N // tile), workers)):
                at = w * workers + bx
                if at < M // tile * (N // tile):
                    T.copy(A[at // (N // tile) * tile, at % (N // tile) * tile], s)
                    T.copy(s, C[at // (N // tile) * tile, at % (N // tile) * tile])

    return main


@tilelang.jit
def appended(N=4096, rows=16, tile=128):
    @T.prim_func
    def main(A: T.Tensor((rows, tile), "float32"), cache: T.Tensor((N, tile), "float32")):
        with T.Kernel(rows, threads=128) as bx:
            for i in T.Parallel(tile):
                cache[bx, i] = A[bx, i]

    return main
