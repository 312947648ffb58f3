# A tensor without a dtype. Correct for TileLang 0.1.15, which takes float32.
import tilelang
import tilelang.language as T


@tilelang.jit
def kernel(N=128):
    @T.prim_func
    def main(
        A: T.Tensor((N,)),
        B: T.Tensor((N,), "float32"),
    ):
        with T.Kernel(1, threads=128) as bx:
            A_s = T.alloc_shared((N,), "float32")
            T.copy(A, A_s)
            T.copy(A_s, B)

    return main
