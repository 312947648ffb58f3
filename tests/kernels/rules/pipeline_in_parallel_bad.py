"""A pipeline of each element."""

import tilelang
import tilelang.language as T


# tilescope: target=cuda:sm_80
@tilelang.jit
def of_each_element(N=128):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float32"), B: T.Tensor((N, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            S = T.alloc_shared((N, N), "float32")
            T.copy(A, S)
            for i in T.Parallel(N):
                for k in T.Pipelined(N, num_stages=2):
#                          ^^^^^^^^^ TS146 error Parallel
                    S[i, k] = S[i, k] + 1.0
            T.copy(S, B)

    return main
