"""Names of now, and an import that is tried."""

try:
    from tilelang.utils.target import determine_target
except ImportError:
    from tilelang.backend.target import determine_target

import tilelang
import tilelang.language as T


@tilelang.jit(pass_configs={"tirx.disable_vectorize": True})
def new_config(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            T.copy(A, B)
            T.sync_threads()

    return main
