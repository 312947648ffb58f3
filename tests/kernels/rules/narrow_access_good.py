import tilelang
import tilelang.language as T


@tilelang.jit
def rows_of_known_size():
    M = T.dynamic("M")

    @T.prim_func
    def main(A: T.Tensor((M, 64), "float16"), B: T.Tensor((M, 64), "float32")):
        with T.Kernel(T.ceildiv(M, 64), threads=128) as bx:
            S = T.alloc_shared((64, 64), "float16")
            T.copy(A[bx * 64, 0], S)
            for i, j in T.Parallel(64, 64):
                B[bx * 64 + i, j] = S[i, j]

    return main


@tilelang.jit
def one_element_for_each_thread(N=1024):
    @T.prim_func
    def main(A: T.Tensor((N,), "float16"), B: T.Tensor((N,), "float16")):
        with T.Kernel(N // 128, threads=128) as bx:
            for i in T.Parallel(128):
                B[bx * 128 + i] = A[bx * 128 + i]

    return main
