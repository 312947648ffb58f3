"""Pipelines with a negative number of stages."""

import tilelang
import tilelang.language as T


@tilelang.jit
def written_in_the_call(M=256):
    @T.prim_func
    def main(A: T.Tensor((M, 64), "float16"), B: T.Tensor((M, 64), "float16")):
        with T.Kernel(1, threads=128) as bx:
            A_s = T.alloc_shared((32, 64), "float16")
            for k in T.Pipelined(M // 32, num_stages=-1):
                #                         ^^^^^^^^^^ TS321 warning num_stages -1
                T.copy(A[k * 32, 0], A_s)
                T.copy(A_s, B[k * 32, 0])

    return main


@tilelang.jit
def from_a_parameter(M=256, stages=-2):
    @T.prim_func
    def main(A: T.Tensor((M, 64), "float16"), B: T.Tensor((M, 64), "float16")):
        with T.Kernel(1, threads=128) as bx:
            A_s = T.alloc_shared((32, 64), "float16")
            for k in T.Pipelined(M // 32, num_stages=stages):
                #                         ^^^^^^^^^^ TS321 warning num_stages -2
                T.copy(A[k * 32, 0], A_s)
                T.copy(A_s, B[k * 32, 0])

    return main
