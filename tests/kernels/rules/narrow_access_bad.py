import tilelang
import tilelang.language as T


@tilelang.jit
def any_size():
    M, N = T.dynamic("M, N")

    @T.prim_func
    def main(A: T.Tensor((M, N), "float16"), B: T.Tensor((M, 64), "float32")):
        with T.Kernel(T.ceildiv(M, 64), threads=128) as bx:
            S = T.alloc_shared((64, 64), "float16")
            T.copy(A[bx * 64, 0], S)
            #      ^ TS213 info A "2 bytes at a time" N
            for i, j in T.Parallel(64, 64):
                B[bx * 64 + i, j] = S[i, j]

    return main
