"""Pipelines whose copies make the threads wait."""

import tilelang
import tilelang.language as T


@tilelang.jit
def cast(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float16"), C: T.Tensor((32, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_shared((32, N), "float16")
            f = T.alloc_fragment((32, N), "float32")
            T.clear(f)
            for k in T.Pipelined(M // 32, num_stages=2):
#                                         ^^^^^^^^^^ TS401 info float32 float16
                T.copy(A[k * 32, 0], s)
                for i, j in T.Parallel(32, N):
                    f[i, j] += s[i, j]
            T.copy(f, C[0, 0])

    return main


@tilelang.jit
def registers(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float16"), C: T.Tensor((32, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            s = T.alloc_fragment((32, N), "float32")
            f = T.alloc_fragment((32, N), "float32")
            T.clear(f)
            for k in T.Pipelined(M // 32, num_stages=2):
#                                         ^^^^^^^^^^ TS401 info s registers
                T.copy(A[k * 32, 0], s)
                for i, j in T.Parallel(32, N):
                    f[i, j] += s[i, j]
            T.copy(f, C[0, 0])

    return main
