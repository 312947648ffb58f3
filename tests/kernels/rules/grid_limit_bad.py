"""More blocks along y and z than can be launched."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_90a
@tilelang.jit
def along_y(M=65536, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(1, M, threads=64) as (bx, by):
#              ^^^^^^ TS207 error 65536 y 65535
            for i in T.Parallel(64):
                B[by, bx * 64 + i] = A[by, bx * 64 + i]

    return main


# tilescope: target=cuda:sm_80
@tilelang.jit
def along_z(M=65536, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(1, 1, M, threads=64) as (bx, by, bz):
#              ^^^^^^ TS207 error 65536 z 65535
            for i in T.Parallel(64):
                B[bz, by * 64 + bx * 64 + i] = A[bz, by * 64 + bx * 64 + i]

    return main
