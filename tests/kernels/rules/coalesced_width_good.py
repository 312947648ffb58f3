"""The same without, and a copy."""

import tilelang
import tilelang.language as T


@tilelang.jit
def copied(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            f = T.alloc_fragment((M, N), "float32")
            T.copy(A, f, coalesced_width=4)
            for i, j in T.Parallel(M, N):
                B[i, j] = f[i, j]

    return main
