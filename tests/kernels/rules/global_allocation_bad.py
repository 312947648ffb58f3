"""Buffers of a kernel in global memory."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_80
@tilelang.jit
def without_scope(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float16"), B: T.Tensor((N,), "float16")):
        with T.Kernel(1, threads=128) as bx:
            S = T.alloc_shared((N,), "float16")
            W = T.alloc_buffer((N,), "float16")
#           ^ TS148 error W "128 float16" global
            T.copy(A, S)
            T.copy(S, W)
            T.copy(W, B)

    return main
