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


# tilescope: target=cuda:sm_80
@tilelang.jit
def several(M=1024, block=128):
    @T.prim_func
    def main(A: T.Tensor((M,), "float16"), B: T.Tensor((M,), "float16")):
        """Short comments lose nothing,
nor does a docstring that matters."""
#
##### what begins with more than one is still a comment
        with T.Kernel(T.ceildiv(M, block), threads=128) as bx:
            for i in T.Parallel(block):
  # 每个线程一个元素
# ^^^^^^^^^^ TS150 error "this comment begins left of the kernel" "`每个线程一个元素`"
                B[bx * block + i] = A[bx * block + i] * 2

    return main


# tilescope: target=cuda:sm_80
@tilelang.jit
def another(M=1024, block=128):
    @T.prim_func
    def main(A: T.Tensor((M,), "float16"), B: T.Tensor((M,), "float16")):
        with T.Kernel(T.ceildiv(M, block), threads=128) as bx:
            for i in T.Parallel(block):
                B[bx * block + i] = (A[bx * block + i] +
  1024)
# ^^^^^ TS150 error "this line begins left of the kernel" "`24)`"

    return main


# tilescope: target=cuda:sm_80
@tilelang.jit
def decorated(M=1024, block=128):
    @T.prim_func(
  # eager
# ^^^^^^^ TS150 error "begins left of the kernel" "`eager`"
    )
    def main(A: T.Tensor((M,), "float16"), B: T.Tensor((M,), "float16")):
        with T.Kernel(T.ceildiv(M, block), threads=128) as bx:
            for i in T.Parallel(block):
                B[bx * block + i] = A[bx * block + i] * 2

    return main


# tilescope: target=cuda:sm_80
@tilelang.jit
def with_macro(M=1024, block=128):
    @T.macro
    def twice(x):
 # a macro is cut by its own indentation
#^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ TS150 error "this comment begins left of the kernel" "of twice"
        return x * 2

    @T.prim_func
    def main(A: T.Tensor((M,), "float16"), B: T.Tensor((M,), "float16")):
        with T.Kernel(T.ceildiv(M, block), threads=128) as bx:
            for i in T.Parallel(block):
                B[bx * block + i] = twice(A[bx * block + i])

    return main
