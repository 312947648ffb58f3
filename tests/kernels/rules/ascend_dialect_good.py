"""The same in the dialect."""

import tilelang
import tilelang.ascend.language as T


@tilelang.jit
def cast_in_a_block(M=64, N=128):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float16")):
        with T.Kernel(1) as bx:
            a = T.alloc_shared((M, N), "float32")
            b = T.alloc_shared((M, N), "float16")
            T.copy(A, a)
            with T.SimdVF():
                T.copy(a, b)
            T.copy(b, B)

    return main


@tilelang.jit
def transposed(M=64, N=64, K=64):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((N, K), "float16"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(1) as bx:
            A_l = T.alloc_l1((M, K), "float16")
            B_l = T.alloc_l1((N, K), "float16")
            C_l = T.alloc_l0c((M, N), "float32")
            T.copy(A, A_l)
            T.copy(B, B_l)
            T.gemm(A_l, B_l, C_l, transpose_B=True, clear_accum=True)
            T.copy(C_l, C)

    return main
