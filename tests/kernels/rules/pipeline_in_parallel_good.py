"""A loop over elements inside a pipeline, and a serial loop of each element."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_80
@tilelang.jit
def outside(N=128):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float32"), B: T.Tensor((N, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            S = T.alloc_shared((32, N), "float32")
            for k in T.Pipelined(N // 32, num_stages=2):
                T.copy(A[k * 32, 0], S)
                for i, j in T.Parallel(32, N):
                    B[k * 32 + i, j] = S[i, j] + 1.0

    return main


# tilescope: target=cuda:sm_80
@tilelang.jit
def serial(N=128):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float32"), B: T.Tensor((N, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            for i in T.Parallel(N):
                for k in T.serial(N):
                    B[k, i] = A[k, i] + 1.0

    return main
