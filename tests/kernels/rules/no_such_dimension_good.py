"""Dimensions counted from either end."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_90a
@tilelang.jit
def summed(N=128):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float32"), B: T.Tensor((N, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            S = T.alloc_shared((N, N), "float32")
            T.copy(A, S)
            T.cumsum(S, dim=1)
            T.cumsum(S, dim=-2)
            T.copy(S, B)

    return main


# tilescope: target=cuda:sm_90a
@tilelang.jit
def reduced(N=128):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            S = T.alloc_fragment((N, N), "float32")
            R = T.alloc_fragment((N,), "float32")
            T.copy(A, S)
            T.reduce_max(S, R, dim=-1)
            T.copy(R, B)

    return main
