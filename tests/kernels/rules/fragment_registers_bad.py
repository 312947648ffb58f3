"""Fragments that do not fit into the registers of a thread, alone or together."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_90a
@tilelang.jit
def accumulator(M=256, N=512, K=256):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(N // 256, M // 256, threads=128) as (bx, by):
            A_s = T.alloc_shared((256, 32), "float16")
            B_s = T.alloc_shared((32, 256), "float16")
            C_l = T.alloc_fragment((256, 256), "float32")
#           ^^^ TS204 warning C_l 512 240 setmaxnreg
            T.clear(C_l)
            for k in T.Pipelined(K // 32, num_stages=2):
                T.copy(A[by * 256, k * 32], A_s)
                T.copy(B[k * 32, bx * 256], B_s)
                T.gemm(A_s, B_s, C_l)
            T.copy(C_l, C[by * 256, bx * 256])

    return main


# tilescope: target=cuda:sm_80
@tilelang.jit
def many_threads(M=512):
    @T.prim_func
    def main(A: T.Tensor((M, 1024), "float32"), B: T.Tensor((M, 1024), "float32")):
        with T.Kernel(M // 128, threads=1024) as bx:
            f = T.alloc_fragment((128, 1024), "float32")
#           ^ TS204 warning f 128 64 1024
            T.copy(A[bx * 128, 0], f)
            for i, j in T.Parallel(128, 1024):
                f[i, j] = f[i, j] * f[i, j] + 1.0
            T.copy(f, B[bx * 128, 0])

    return main


# tilescope: target=cuda:sm_80
@tilelang.jit
def together(M=128):
    @T.prim_func
    def main(A: T.Tensor((M, 128), "float32"), B: T.Tensor((M, 128), "float32"), C: T.Tensor((M, 128), "float32")):
        with T.Kernel(M // 128, threads=128) as bx:
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ TS204 info 384 255
            f = T.alloc_fragment((128, 128), "float32")
            g = T.alloc_fragment((128, 128), "float32")
            h = T.alloc_fragment((128, 128), "float32")
            T.copy(A[bx * 128, 0], f)
            T.copy(B[bx * 128, 0], g)
            T.copy(C[bx * 128, 0], h)
            T.copy(f, C[bx * 128, 0])
            T.copy(g, A[bx * 128, 0])
            T.copy(h, B[bx * 128, 0])

    return main


# tilescope: target=cuda:sm_90a
@tilelang.jit
def read_once(M=128, N=1024):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float16"), x: T.Tensor((N,), "float16"), C: T.Tensor((M,), "float32")):
        with T.Kernel(M // 128, threads=32) as bx:
            sums = T.alloc_reducer(128, "float32", replication="all")
            T.clear(sums)
            for k in T.Pipelined(N // 128, num_stages=2):
                A_s = T.alloc_shared((128, 128), "float16")
                T.copy(A[bx * 128, k * 128], A_s)
                a = T.alloc_fragment((128, 128), "float16")
#               ^ TS204 info a 256
                T.copy(A_s, a)
                b = T.alloc_fragment(128, "float16")
                T.copy(x[k * 128], b)
                for i, j in T.Parallel(128, 128):
                    sums[i] += a[i, j] * b[j]
            T.finalize_reducer(sums)
            T.copy(sums, C[bx * 128])

    return main
