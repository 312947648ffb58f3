"""Pass configs, names and parameters of other versions of TileLang."""

import tilelang
import tilelang.language as T


@tilelang.jit(pass_configs={"tir.disable_vectorize": True})
#                            ^^^^^^^^^^^^^^^^^^^^^ TS503 error 0.1.9 0.1.11
def old_config(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            T.copy(A, B)

    return main


@tilelang.jit
def old_name(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            T.copy(A, B)
            T.sync_global()
#             ^^^^^^^^^^^ TS503 error T.sync_global 0.1.14 0.1.15

    return main
