"""Comments as far in as the kernel, short ones, and one beside a kernel that is not indented."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_80
@tilelang.jit
def scale(M=1024, block=128):
    @T.prim_func
    def main(A: T.Tensor((M,), "float16"), B: T.Tensor((M,), "float16")):
        with T.Kernel(T.ceildiv(M, block), threads=128) as bx:
    # twice as much
#
            for i in T.Parallel(block):
                B[bx * block + i] = A[bx * block + i] * 2

    return main


@T.prim_func
def doubled(A: T.Tensor((1024,), "float16"), B: T.Tensor((1024,), "float16")):
    with T.Kernel(8, threads=128) as bx:
# twice as much
        for i in T.Parallel(128):
            B[bx * 128 + i] = A[bx * 128 + i] * 2
