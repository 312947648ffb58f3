"""Cumulative sums and a reduction along dimensions that are not there."""

import tilelang
import tilelang.language as T


# tilescope: target=c
@tilelang.jit
def forwards(N=128):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float32"), B: T.Tensor((N, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            S = T.alloc_shared((N, N), "float32")
            T.copy(A, S)
            T.cumsum(S, dim=2)
#                       ^^^ TS145 error cumsum S "128 × 128" 2
            T.copy(S, B)

    return main


# tilescope: target=c
@tilelang.jit
def backwards(N=128):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float32"), B: T.Tensor((N, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            S = T.alloc_shared((N, N), "float32")
            T.copy(A, S)
            T.cumsum(src=S, dim=-3)
#                           ^^^ TS145 error S -3
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
            T.reduce_max(S, R, dim=2)
#                              ^^^ TS145 error reduce_max S 2
            T.copy(R, B)

    return main
