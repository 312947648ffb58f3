"""Python numbers where they are right, and variables of the kernel."""

import tilelang
import tilelang.language as T


@tilelang.jit
def variables(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32"), n: T.int32):
        with T.Kernel(1, threads=128) as bx:
            f = T.alloc_fragment((N,), "float32")
            row = T.alloc_var("int32", init=0)
            for k in T.serial(8):
                T.copy(A[row, 0], f)
                T.copy(f, B[row, 0])
                row += 1
            if n > 2:
                row = 1
            T.copy(A[row, 0], f)

    return main


@tilelang.jit
def built_in_python(M=64, N=64, deep=True):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32"), n: T.int32):
        with T.Kernel(1, threads=128) as bx:
            f = T.alloc_fragment((N,), "float32")
            rows = 2
            if deep:
                rows = 4
            row = 0
            for k in [0, 1, 2]:
                T.copy(A[row, 0], f)
                T.copy(f, B[row, 0])
                row += 1
            for k in T.serial(rows):
                offset = 2
                if k > 1:
                    offset = 3
                    T.copy(A[k + offset, 0], f)
                offset = 4
                T.copy(f, B[k + offset, 0])

    return main


@tilelang.jit
def values_of_the_kernel(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            f = T.alloc_fragment((M, N), "float32")
            for i, j in T.Parallel(M, N):
                value = T.if_then_else(i > 2, 1, 2)
                f[i, j] = value
            T.copy(f, A)

    return main
