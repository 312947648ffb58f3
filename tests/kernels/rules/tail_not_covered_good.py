"""Tiles that reach the end, and kernels that leave the rest on purpose."""

import tilelang
import tilelang.language as T


@tilelang.jit
def rounded_up(N=1000, tile=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(T.ceildiv(N, tile), threads=128) as bx:
            s = T.alloc_shared((tile,), "float32")
            T.copy(A[bx * tile], s)
            T.copy(s, C[bx * tile])

    return main


@tilelang.jit
def divides(N=1024, tile=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(N // tile, threads=128) as bx:
            s = T.alloc_shared((tile,), "float32")
            T.copy(A[bx * tile], s)
            T.copy(s, C[bx * tile])

    return main


@tilelang.jit
def tail_of_its_own(N=1000, tile=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(N // tile, threads=128) as bx:
            for i in T.Parallel(tile):
                C[bx * tile + i] = A[bx * tile + i]
            if bx == 0:
                for i in T.Parallel(N % tile):
                    C[N // tile * tile + i] = A[N // tile * tile + i]

    return main


@tilelang.jit
def prefix(N=4096, used=1024, tile=128):
    @T.prim_func
    def main(A: T.Tensor((used,), "float32"), cache: T.Tensor((N,), "float32")):
        with T.Kernel(used // tile, threads=128) as bx:
            for i in T.Parallel(tile):
                cache[bx * tile + i] = A[bx * tile + i]

    return main
