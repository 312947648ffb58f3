"""All is written, by two statements or under a condition; borders; what is read too; and indices of data."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_80
@tilelang.jit
def shifted(M=256, N=128, block=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(M // block, threads=128) as bx:
            for i, j in T.Parallel(block, N - 1):
                C[bx * block + i, j + 1] = A[bx * block + i, j]
            for i in T.Parallel(block):
                C[bx * block + i, 0] = 0.0

    return main


# tilescope: target=cuda:sm_80
@tilelang.jit
def guarded(M=256, N=128, block=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(M // block, threads=128) as bx:
            for i, j in T.Parallel(block, N):
                if j > 0:
                    C[bx * block + i, j] = A[bx * block + i, j - 1]

    return main


# tilescope: target=cuda:sm_80
@tilelang.jit
def border(M=256, N=128, block=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(M // block, threads=128) as bx:
            for i, j in T.Parallel(block, N - 2):
                C[bx * block + i, j + 1] = A[bx * block + i, j] + A[bx * block + i, j + 2]

    return main


# tilescope: target=cuda:sm_80
@tilelang.jit
def in_place(M=256, N=128, block=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(M // block, threads=128) as bx:
            for i, j in T.Parallel(block, N - 1):
                C[bx * block + i, j + 1] = C[bx * block + i, j + 1] + A[bx * block + i, j]

    return main


# tilescope: target=cuda:sm_80
@tilelang.jit
def scattered(M=256, N=128):
    @T.prim_func
    def main(A: T.Tensor((M,), "float32"), at: T.Tensor((M,), "int32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(M // 128, threads=128) as bx:
            for i in T.Parallel(128):
                C[at[bx * 128 + i]] = A[bx * 128 + i]

    return main
