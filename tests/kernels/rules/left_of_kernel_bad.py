"""A comment further to the left than its kernel."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_80
@tilelang.jit
def scale(M=1024, block=128):
    @T.prim_func
    def main(A: T.Tensor((M,), "float16"), B: T.Tensor((M,), "float16")):
        with T.Kernel(T.ceildiv(M, block), threads=128) as bx:
  # twice as much
# ^^^^^^^^^^^^^^^ TS150 error "this comment begins left of the kernel" "cuts the first 4 columns"
            for i in T.Parallel(block):
                B[bx * block + i] = A[bx * block + i] * 2

    return main
