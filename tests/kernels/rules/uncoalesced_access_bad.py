import tilelang
import tilelang.language as T


@tilelang.jit
def columns(N=256, M=128):
    @T.prim_func
    def main(A: T.Tensor((N, M), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(M, threads=128) as bx:
            for i in T.Parallel(N):
                B[bx, i] = A[i, bx]
                #          ^ TS212 info A "32 sectors" "512 bytes apart"

    return main
