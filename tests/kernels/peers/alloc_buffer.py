# what is wrong: a buffer whose memory is left to the compiler.
# kind: alloc-buffer
import tilelang
import tilelang.language as T


@tilelang.jit
def kernel(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float16"), B: T.Tensor((N,), "float16")):
        with T.Kernel(1, threads=128) as bx:
            A_s = T.alloc_buffer((N,), "float16")  # here
            T.copy(A, A_s)
            T.copy(A_s, B)

    return main
