"""A pipelined loop inside a while loop."""

import tilelang
import tilelang.language as T


@tilelang.jit
def inner(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32"), n: T.int32):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((M, N), "float32")
            f = T.alloc_fragment((M, N), "float32")
            T.clear(f)
            row = T.alloc_var("int32", init=0)
            while row < n:
                for k in T.Pipelined(4, num_stages=2):
#                          ^^^^^^^^^ TS141 error while
                    T.copy(A, s)
                    for i, j in T.Parallel(M, N):
                        f[i, j] += s[i, j]
                row += 1
            T.copy(f, B)

    return main
