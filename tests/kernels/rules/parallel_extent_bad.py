"""A short parallel loop that takes elements from its fragment."""

import tilelang
import tilelang.language as T


@tilelang.jit
def between_two_copies(N=256, short=100):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32"), D: T.Tensor((short,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            f = T.alloc_fragment((N,), "float32")
            T.copy(A, f)
            #         ^ TS304 warning f 256 100
            for i in T.Parallel(short):
                D[i] = f[i] + 1.0
            T.copy(f, C)

    return main
