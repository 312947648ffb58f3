"""Statements of a kernel in the function around it."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_80
@tilelang.jit
def allocation(N=128):
    S = T.alloc_shared((N,), "float16")
#       ^^^^^^^^^^^^^^ TS149 error "T.alloc_shared stands outside of the kernel"

    @T.prim_func
    def main(A: T.Tensor((N,), "float16"), B: T.Tensor((N,), "float16")):
        with T.Kernel(1, threads=128) as bx:
            T.copy(A, S)
            T.copy(S, B)

    return main
