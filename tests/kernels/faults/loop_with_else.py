"""A fault that the front end finds in the source, before anything of it runs: it stops the whole module."""

import tilelang
import tilelang.language as T


@tilelang.jit
def loop_with_else(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            for i in T.serial(N):
          # ^^^^^^^^^^^^^^^^^^^^^ loop_with_else TS132 for else
                B[i] = A[i]
            else:
                B[0] = 0.0

    return main


@tilelang.jit
def after_it(M=64, block=32):
    assert M % block == 0, "M must be a multiple of block"

    @T.prim_func
    def main(A: T.Tensor((M, M), "float16"), C: T.Tensor((M, M), "float32")):
        with T.Kernel(1, threads=128) as bx:
            c = T.alloc_fragment((M, M), "float32")
            T.copy(A, c)
            T.copy(c, C)

    return main
