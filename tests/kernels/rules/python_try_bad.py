"""A mistake that a try hides."""

import tilelang
import tilelang.language as T


@tilelang.jit
def hidden(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            for i, j in T.Parallel(M, N):
                try:
#               ^^^ TS330 warning try built
                    A[i, j, 0] = 1.0
                except Exception:
                    A[i, j] = 2.0

    return main
