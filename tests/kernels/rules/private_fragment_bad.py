"""Fragments that only plain loops touch."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_80
@tilelang.jit
def serial_loops():
    @T.prim_func
    def main(A: T.Tensor((64, 64), "float32"), B: T.Tensor((64, 64), "float32")):
        with T.Kernel(1, threads=128) as bx:
            f = T.alloc_fragment((64, 64), "float32")
#           ^ TS205 warning f 128 4096 255
            for i in T.serial(64):
                for j in T.serial(64):
                    f[i, j] = A[i, j]
            for i in T.serial(64):
                for j in T.serial(64):
                    B[i, j] = f[i, j]

    return main
