"""A fragment that takes more registers than a thread has, as the assembler sees it."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_90a
@tilelang.jit
def fragment():
    @T.prim_func
    def main(A: T.Tensor((64, 512), "float32"), B: T.Tensor((64, 512), "float32")):
        with T.Kernel(1, threads=64) as bx:
#       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ TS203 warning spills 255 f 512
            f = T.alloc_fragment((64, 512), "float32")
#           ^ TS204 warning f 512 255
            T.copy(A, f)
            for k in T.serial(100):
                for i, j in T.Parallel(64, 512):
                    f[i, j] = f[i, j] * f[i, j] + 1.0
            T.copy(f, B)

    return main
