"""Python numbers changed as if they were variables of the kernel."""

import tilelang
import tilelang.language as T


@tilelang.jit
def counted(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            f = T.alloc_fragment((N,), "float32")
            row = 0
            for k in T.serial(8):
                T.copy(A[row, 0], f)
                T.copy(f, B[row, 0])
                row += 1
#               ^^^^^^^^ TS328 warning row once

    return main


@tilelang.jit
def chosen(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), n: T.int32):
        with T.Kernel(1, threads=128) as bx:
            f = T.alloc_fragment((M, N), "float32")
            value = 0
            if n > 2:
                value = 1
#               ^^^^^^^^^ TS328 warning value condition
            for i, j in T.Parallel(M, N):
                f[i, j] = value
            T.copy(f, A)

    return main


@tilelang.jit
def chosen_in_both_branches(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            f = T.alloc_fragment((M, N), "float32")
            for i, j in T.Parallel(M, N):
                if i > 2:
                    value = 1
#                   ^^^^^^^^^ TS328 warning value condition
                else:
                    value = 2
                f[i, j] = value
            T.copy(f, A)

    return main
