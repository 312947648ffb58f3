"""Iterations of T.Parallel that store to one element."""

import tilelang
import tilelang.language as T


@tilelang.jit
def one_cell(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((1,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((1,), "float32")
            for i in T.Parallel(N):
                s[0] = A[i]
              # ^^^^ TS303 warning s i
            C[0] = s[0]

    return main


@tilelang.jit
def rows_lost(M=32, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), C: T.Tensor((M,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((M,), "float32")
            T.clear(s)
            for i, j in T.Parallel(M, N):
                s[i] = s[i] + A[i, j]
              # ^^^^ TS303 warning s j
            T.copy(s, C)

    return main


@tilelang.jit
def groups_overlap(N=256, group=2):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            for i, j in T.Parallel(64, 4):
                C[i * group + j] = A[i * 4 + j]
              # ^^^^^^^^^^^^^^^^ TS303 warning C i j

    return main
