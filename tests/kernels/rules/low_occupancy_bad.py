"""Few warps on an SM, all of which wait for ordinary loads."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_75
@tilelang.jit
def large_buffer(M=1024):
    @T.prim_func
    def main(A: T.Tensor((M, 128), "float32"), B: T.Tensor((M, 128), "float32")):
        with T.Kernel(M // 64, threads=64) as bx:
            S = T.alloc_shared((64, 128), "float32")
#           ^ TS450 info "at most 12%" 32768 65536 S
            T.copy(A[bx * 64, 0], S)
            for i, j in T.Parallel(64, 128):
                B[bx * 64 + i, j] = S[63 - i, j]

    return main
