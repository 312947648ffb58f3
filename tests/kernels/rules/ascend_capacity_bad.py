"""Buffers that take more of UB, L1 and L0C than Ascend 950 has."""

import tilelang
import tilelang.ascend.language as T


@tilelang.jit
def vectors(N=1 << 20, block=32768):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(N // block) as bx:
            a = T.alloc_shared((block,), "float32")
#           ^ TS202 error 393216 UB 253952
            b = T.alloc_shared((block,), "float32")
            c = T.alloc_shared((block,), "float32")
            T.copy(A[bx * block], a)
            T.copy(B[bx * block], b)
            with T.SimdVF():
                for i in T.Parallel(block):
                    c[i] = a[i] + b[i]
            T.copy(c, C[bx * block])

    return main


@tilelang.jit
def cube(M=1024, N=1024, K=1024, bM=256, bN=512, bK=512):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((N, K), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel((M // bM) * (N // bN)) as bid:
            by = bid // (N // bN)
            bx = bid % (N // bN)
            A_l1 = T.alloc_l1((bM, bK), "float16")
            B_l1 = T.alloc_l1((bN, bK), "float16")
#           ^^^^ TS202 error 786432 L1 524288
            C_l0 = T.alloc_l0c((bM, bN), "float32")
            for k in T.serial(K // bK):
                T.copy(A[by * bM, k * bK], A_l1)
                T.copy(B[bx * bN, k * bK], B_l1)
                T.gemm(A_l1, B_l1, C_l0, transpose_B=True, clear_accum=(k == 0))
            T.copy(C_l0, C[by * bM, bx * bN])

    return main


@tilelang.jit(pass_configs={"tl.enable_auto_schedule": False})
def unscheduled(M=1024, N=1024, K=1024, bM=256, bN=512, bK=64):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((N, K), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel((M // bM) * (N // bN)) as bid:
            by = bid // (N // bN)
            bx = bid % (N // bN)
            A_l1 = T.alloc_l1((bM, bK), "float16")
            B_l1 = T.alloc_l1((bN, bK), "float16")
            C_l0 = T.alloc_l0c((bM, bN), "float32")
#           ^^^^ TS202 error 524288 L0C 262144
            for k in T.serial(K // bK):
                T.copy(A[by * bM, k * bK], A_l1)
                T.copy(B[bx * bN, k * bK], B_l1)
                T.gemm(A_l1, B_l1, C_l0, transpose_B=True, clear_accum=(k == 0))
            T.copy(C_l0, C[by * bM, bx * bN])

    return main
