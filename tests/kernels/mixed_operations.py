import tilelang
import tilelang.language as T


@T.macro
def double(S, F):
    tmp = T.alloc_fragment((128, 64), "float32")
    T.copy(S, tmp)
    for i, j in T.Parallel(128, 64):
        F[i, j] = tmp[i, j] * 2.0


@tilelang.jit
def mixed():
    N = T.dynamic("N")

    @T.prim_func
    def main(A: T.Tensor((N, 64), "float32"), B: T.Tensor((N,), "float32"), C: T.Tensor((N, 64), "float32")):
        with T.Kernel(T.ceildiv(N, 128), threads=(64, 2)) as bx:
            S = T.alloc_shared((128, 64), "float32")
            R = T.alloc_shared((128,), "float32")
            F = T.alloc_fragment((128, 64), "float32")
            G = T.alloc_fragment((128, 64), "float32")
            T.copy(A[bx * 128, 0], S)
            double(S, F)
            double(S, G)
            T.reduce_sum(S, R, dim=1)
            T.copy(R, B[bx * 128])
            for i, j in T.Parallel(128, 64):
                T.atomic_add(C[bx * 128 + i, j], F[i, j])
            T.atomic_add(C[bx * 128, 0], G)
            for n in T.serial(2):
                T.fill(F, 1.5)

    return main
