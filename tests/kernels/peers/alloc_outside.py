# what is wrong: shared memory is asked for outside the kernel.
# kind: alloc-outside-kernel
import tilelang
import tilelang.language as T


@tilelang.jit
def kernel(N=128):
    A_s = T.alloc_shared((N,), "float32")  # here

    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            T.copy(A, A_s)
            T.copy(A_s, B)

    return main
