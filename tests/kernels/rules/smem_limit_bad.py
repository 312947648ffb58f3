"""Shared memory over what a block may have: by the stages of a pipeline, by one buffer, and declared statically."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_90a
@tilelang.jit
def deep_pipeline(M=256, N=512, K=1024):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(N // 256, M // 128, threads=256) as (bx, by):
            A_s = T.alloc_shared((128, 128), "float16")
            B_s = T.alloc_shared((128, 256), "float16")
            C_l = T.alloc_fragment((128, 256), "float32")
            T.clear(C_l)
            for k in T.Pipelined(K // 128, num_stages=3):
#                                          ^^^^^^^^^^ TS201 error 295936 232448 A_s 98304 B_s 196608
                T.copy(A[by * 128, k * 128], A_s)
                T.copy(B[k * 128, bx * 256], B_s)
                T.gemm(A_s, B_s, C_l)
            T.copy(C_l, C[by * 128, bx * 256])

    return main


# tilescope: target=cuda:sm_80
@tilelang.jit
def one_buffer(M=1024):
    @T.prim_func
    def main(A: T.Tensor((M, 128), "float32"), B: T.Tensor((M, 128), "float32")):
        with T.Kernel(M // 512, threads=256) as bx:
            S = T.alloc_shared((512, 128), "float32")
#           ^ TS201 error 262144 166912 S
            T.copy(A[bx * 512, 0], S)
            T.copy(S, B[bx * 512, 0])

    return main


# tilescope: target=cuda:sm_80
@tilelang.jit
def declared(M=1024):
    @T.prim_func
    def main(A: T.Tensor((M, 128), "float32"), B: T.Tensor((M, 128), "float32")):
        with T.Kernel(M // 128, threads=256) as bx:
            S = T.alloc_shared((128, 128), "float32", scope="shared")
#           ^ TS201 error static 65536 49152 S
            T.copy(A[bx * 128, 0], S)
            T.copy(S, B[bx * 128, 0])

    return main


# tilescope: target=metal
@tilelang.jit
def threadgroup(M=1024):
    @T.prim_func
    def main(A: T.Tensor((M, 128), "float32"), B: T.Tensor((M, 128), "float32")):
        with T.Kernel(M // 128, threads=256) as bx:
            S = T.alloc_shared((128, 128), "float32", scope="shared")
#           ^ TS201 error 65536 32768 S
            T.copy(A[bx * 128, 0], S)
            T.copy(S, B[bx * 128, 0])

    return main
