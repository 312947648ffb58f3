"""As many threads as a block may have, and what is not a number."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_90a
@tilelang.jit
def all_of_them(N=4096):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(N // 1024, threads=1024) as bx:
            for i in T.Parallel(1024):
                B[bx * 1024 + i] = A[bx * 1024 + i]

    return main


# tilescope: target=cuda:sm_90a
@tilelang.jit
def two_elements_each(N=4096):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(N // 2048, threads=1024) as bx:
            for i in T.Parallel(2048):
                B[bx * 2048 + i] = A[bx * 2048 + i]

    return main


# tilescope: target=webgpu
@tilelang.jit
def of_the_browser(N=4096):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(N // 256, threads=256) as bx:
            for i in T.Parallel(256):
                B[bx * 256 + i] = A[bx * 256 + i]

    return main
