"""Fragments that are spread over threads, element by element."""

import tilelang
import tilelang.language as T


@tilelang.jit
def written_in_a_serial_loop(M=16, N=16):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            f = T.alloc_fragment((M, N), "float32")
            for i in T.serial(M):
                for j in T.serial(N):
                    f[i, j] = A[i, j]
                  # ^^^^^^^ TS302 warning f serial 128
            for i, j in T.Parallel(M, N):
                C[i, j] = f[i, j]

    return main


@tilelang.jit
def read_in_a_serial_loop(M=16, N=16):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            f = T.alloc_fragment((M, N), "float32")
            T.copy(A, f)
            for i in range(M):
                for j in T.unroll(N):
                    C[i, j] = f[i, j]
                    #         ^^^^^^^ TS302 warning f serial 128

    return main
