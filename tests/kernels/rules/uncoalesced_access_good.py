import tilelang
import tilelang.language as T


@tilelang.jit
def rows(N=256, M=128):
    @T.prim_func
    def main(A: T.Tensor((N, M), "float32"), B: T.Tensor((N, M), "float32")):
        with T.Kernel(N, threads=128) as bx:
            for i in T.Parallel(M):
                B[bx, i] = A[bx, i] + A[0, 0]

    return main


@tilelang.jit
def whole_rows_by_one_thread(N=128, M=32):
    """Far apart, but each thread comes back for the rest of its sectors."""

    @T.prim_func
    def main(A: T.Tensor((N, M), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128):
            total = T.alloc_fragment((N,), "float32")
            T.clear(total)
            for j in T.serial(M):
                for i in T.Parallel(N):
                    total[i] += A[i, j]
            T.copy(total, B)

    return main
