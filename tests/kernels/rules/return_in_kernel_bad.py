"""A return under a condition of the running kernel."""

import tilelang
import tilelang.language as T


@tilelang.jit
def early(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32"), n: T.int32):
        with T.Kernel(1, threads=128) as bx:
            if n > 3:
                return
#               ^^^^^^ TS142 error return
            T.copy(A, B)

    return main
