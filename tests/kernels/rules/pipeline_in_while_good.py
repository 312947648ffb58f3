"""The same without warp specialization, and in a counted loop."""

import tilelang
import tilelang.language as T


@tilelang.jit(pass_configs={"tl.disable_warp_specialized": True})
def not_specialized(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32"), n: T.int32):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((M, N), "float32")
            f = T.alloc_fragment((M, N), "float32")
            T.clear(f)
            row = T.alloc_var("int32", init=0)
            while row < n:
                for k in T.Pipelined(4, num_stages=2):

                    T.copy(A, s)
                    for i, j in T.Parallel(M, N):
                        f[i, j] += s[i, j]
                row += 1
            T.copy(f, B)

    return main


@tilelang.jit
def counted(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32"), n: T.int32):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((M, N), "float32")
            f = T.alloc_fragment((M, N), "float32")
            T.clear(f)
            for row in T.serial(n):
                for k in T.Pipelined(4, num_stages=2):

                    T.copy(A, s)
                    for i, j in T.Parallel(M, N):
                        f[i, j] += s[i, j]

            T.copy(f, B)

    return main
