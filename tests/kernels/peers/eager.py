# Correct: a kernel without @T.prim_func, which TileLang calls eager.
# args: {"N": 1024}
import tilelang
import tilelang.language as T


# tilescope: N=1024
@tilelang.jit
def kernel(A, B, block=128):
    N = T.const("N")
    A: T.Tensor((N,), "float32")
    B: T.Tensor((N,), "float32")
    with T.Kernel(T.ceildiv(N, block), threads=128) as bx:
        A_s = T.alloc_shared((block,), "float32")
        T.copy(A[bx * block], A_s)
        T.copy(A_s, B[bx * block])
