"""Buffers with a scope, and workspace that the caller gives."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_80
@tilelang.jit
def with_scope(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float16"), W: T.Tensor((N,), "float16"), B: T.Tensor((N,), "float16")):
        with T.Kernel(1, threads=128) as bx:
            S = T.alloc_buffer((N,), "float16", scope="shared")
            T.copy(A, S)
            T.copy(S, W)
            T.copy(S, B)

    return main
