"""More threads than a block may have: as written, with those of producers, and on a target with fewer by default."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_90a
@tilelang.jit
def as_written(N=4096):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(N // 2048, threads=2048) as bx:
#                                ^^^^^^^ TS206 error 2048 1024 sm_90a
            for i in T.Parallel(2048):
                B[bx * 2048 + i] = A[bx * 2048 + i]

    return main


# tilescope: target=webgpu
@tilelang.jit
def of_the_browser(N=4096):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(N // 512, threads=512) as bx:
#                               ^^^^^^^ TS206 warning 512 256 webgpu
            for i in T.Parallel(512):
                B[bx * 512 + i] = A[bx * 512 + i]

    return main


# tilescope: target=cuda:sm_90a
@tilelang.jit
def of_producers(M=512, K=256):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float32"), B: T.Tensor((M, 32), "float32")):
        with T.Kernel(1, threads=1024) as bx:
#                        ^^^^^^^ TS206 error 1152 1024
            S = T.alloc_shared((M, 32), "float32")
            F = T.alloc_fragment((M, 32), "float32")
            T.clear(F)
            for k in T.Pipelined(K // 32, num_stages=2):
                T.copy(A[0, k * 32], S)
                for i, j in T.Parallel(M, 32):
                    F[i, j] += S[i, j]
            T.copy(F, B)

    return main
