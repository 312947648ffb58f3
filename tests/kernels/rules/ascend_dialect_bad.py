"""What the Ascend dialect does not allow."""

import tilelang
import tilelang.ascend.language as T


@tilelang.jit
def cast_by_copy(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float16")):
        with T.Kernel(1) as bx:
            a = T.alloc_shared((M, N), "float32")
            b = T.alloc_shared((M, N), "float16")
            T.copy(A, a)
            T.copy(a, b)
#             ^^^^ TS502 error a b float32 float16
            T.copy(b, B)

    return main


@tilelang.jit
def loop_outside(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float16")):
        with T.Kernel(1) as bx:
            a = T.alloc_shared((M, N), "float32")
            T.copy(A, a)
            for i, j in T.Parallel(M, N):
#                         ^^^^^^^^ TS502 error T.Parallel
                a[i, j] = a[i, j] + 1.0
            T.copy(a, A)

    return main


@tilelang.jit
def not_transposed(M=64, N=64, K=64):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(1) as bx:
            A_l = T.alloc_l1((M, K), "float16")
            B_l = T.alloc_l1((K, N), "float16")
            C_l = T.alloc_l0c((M, N), "float32")
            T.copy(A, A_l)
            T.copy(B, B_l)
            T.gemm(A_l, B_l, C_l, clear_accum=True)
#             ^^^^ TS502 error B_l transposed
            T.copy(C_l, C)

    return main


@tilelang.jit
def two_dimensions(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float16")):
        with T.Kernel(1, 2) as (bx, by):
#              ^^^^^^ TS502 error one extent
            a = T.alloc_shared((M, N), "float32")
            T.copy(A, a)
            T.copy(a, A)

    return main
