"""Statements of a kernel in it, and in a macro."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_80
@tilelang.jit
def allocation(N=128):
    @T.macro
    def through(A, B):
        S = T.alloc_shared((N,), "float16")
        T.copy(A, S)
        T.copy(S, B)

    @T.prim_func
    def main(A: T.Tensor((N,), "float16"), B: T.Tensor((N,), "float16")):
        with T.Kernel(1, threads=128) as bx:
            through(A, B)

    return main
