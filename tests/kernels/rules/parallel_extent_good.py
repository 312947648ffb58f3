"""Short loops over a fragment that keeps all its elements."""

import tilelang
import tilelang.language as T


@tilelang.jit
def condition_inside(N=256, short=100):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32"), D: T.Tensor((short,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            f = T.alloc_fragment((N,), "float32")
            T.copy(A, f)
            for i in T.Parallel(N):
                if i < short:
                    D[i] = f[i] + 1.0
            T.copy(f, C)

    return main


@tilelang.jit
def a_thread_for_every_element(N=256, short=100):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32"), D: T.Tensor((short,), "float32")):
        with T.Kernel(1, threads=256) as bx:
            f = T.alloc_fragment((N,), "float32")
            for i in T.Parallel(N):
                f[i] = A[i]
            for i in T.Parallel(short):
                D[i] = f[i] + 1.0
            T.copy(f, C)

    return main
