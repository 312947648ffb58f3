"""Accesses that leave their buffer."""

import tilelang
import tilelang.language as T


@tilelang.jit
def nothing_inside(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            X = T.alloc_fragment((M, N), "float32")
            for i, j in T.Parallel(M, N):
                X[i, j] = A[i, j + 64]
                #         ^^^^^^^^^^^^ TS301 warning A 64 127 zero
            T.copy(X, C)

    return main


@tilelang.jit
def a_loop_longer_than_its_fragment(M=256, N=256, tile=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(T.ceildiv(N, tile), T.ceildiv(M, tile), threads=128) as (bx, by):
            tall = T.alloc_fragment((tile, tile), "float32")
            T.copy(A[by * tile, bx * tile], tall)
            for i, j in T.Parallel(tile + 8, tile):
                C[by * tile + i, bx * tile + j] = tall[i, j]
                #                                 ^^^^^^^^^^ TS301 warning tall 72 64

    return main


@tilelang.jit
def shifted_out_of_shared_memory(N=1024, tile=128, halo=2):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(N // tile, threads=tile) as bx:
            window = T.alloc_shared((tile,), "float32")
            T.copy(A[bx * tile], window)
            for i in T.Parallel(tile):
                C[bx * tile + i] = window[i] + window[i + halo]
                #                              ^^^^^^^^^^^^^^^^ TS301 warning window 129 128 shared

    return main


@tilelang.jit
def a_tile_too_far(M=512, N=64, tile=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(T.ceildiv(M, tile), threads=128) as bx:
            s = T.alloc_shared((tile, N), "float16")
            T.copy(A[(bx + 1) * tile, 0], s)
            #      ^^^^^^^^^^^^^^^^^^^^^ TS301 warning A 575 512 zero
            T.copy(s, C[bx * tile, 0])

    return main


@tilelang.jit
def a_constant_index(N=64):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=N) as bx:
            for i in T.Parallel(N):
                C[i] = A[N]
                #      ^^^^ TS301 warning A 64 beyond

    return main


@tilelang.jit
def a_region_of_shared_memory(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((M, N), "float32")
            T.copy(A, s)
            T.copy(s[32:96, 0:64], C)
            #      ^^^^^^^^^^^^^^ TS301 warning s 95 64

    return main


@tilelang.jit
def tiles_from_one(M=64, K=512, tile=64):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float32"), C: T.Tensor((M, K), "float32")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((M, tile), "float32")
            for k in T.serial(K // tile):
                T.copy(A[0, (k + 1) * tile], s)
                #      ^^^^^^^^^^^^^^^^^^^^ TS301 warning A 575 512
                T.copy(s, C[0, k * tile])

    return main
