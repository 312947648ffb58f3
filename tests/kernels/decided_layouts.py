import tilelang
import tilelang.language as T
from tilelang.layout import Fragment


@tilelang.jit
def two_products(M=64, N=64, K=64):
    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((K, N), "float16"),
        C: T.Tensor((M, N), "float32"),
        R: T.Tensor((M,), "float32"),
    ):
        with T.Kernel(1, threads=128):
            A_s = T.alloc_shared((M, K), "float16")
            B_s = T.alloc_shared((K, N), "float16")
            S = T.alloc_fragment((M, N), "float32")
            O = T.alloc_fragment((M, N), "float32")
            P = T.alloc_fragment((M, N), "float16")
            row = T.alloc_fragment((M,), "float32")
            peak = T.alloc_fragment((M,), "float32")
            alone = T.alloc_fragment((M, N), "float32")
            T.copy(A, A_s)
            T.copy(B, B_s)
            T.copy(R, row)
            T.copy(C, alone)
            T.clear(S)
            T.clear(O)
            T.gemm(A_s, B_s, S, policy=T.GemmWarpPolicy.FullRow)
            T.gemm(A_s, B_s, O, policy=T.GemmWarpPolicy.Square)
            T.reduce_max(S, peak, dim=1)
            for i, j in T.Parallel(M, N):
                P[i, j] = S[i, j] * 0.5
            for i, j in T.Parallel(M, N):
                O[i, j] *= row[i]
            T.copy(P, A)
            T.copy(O, C)
            T.copy(alone, C)
            T.copy(peak, R)

    return main


@tilelang.jit
def explicit(M=128, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128):
            shared = T.alloc_shared((M, N), "float32")
            rows = T.alloc_fragment((M, N), "float32")
            doubled = T.alloc_fragment((M, N), "float32")
            T.annotate_layout({shared: tilelang.layout.make_swizzled_layout(shared)})
            T.annotate_layout({rows: Fragment((M, N), forward_fn=lambda i, j: (i, j))})
            T.copy(A, shared)
            T.copy(shared, rows)
            for i, j in T.Parallel(M, N):
                doubled[i, j] = rows[i, j] * 2.0
            T.copy(doubled, B)

    return main


@tilelang.jit
def replicated(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), F: T.Tensor((4,), "int32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128):
            flag = T.alloc_fragment((4,), "int32")
            scale = T.alloc_fragment((1,), "float32")
            T.copy(F, flag)
            scale[0] = 2.0
            for k in T.serial(4):
                if flag[k] > 0:
                    for i in T.Parallel(N):
                        B[i] = A[i] * scale[0]

    return main


@tilelang.jit
def narrower(M=64, N=64, K=64):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128):
            A_s = T.alloc_shared((M, K), "float16")
            B_s = T.alloc_shared((K, N), "float16")
            S = T.alloc_fragment((M, N), "float32")
            T.copy(A, A_s)
            T.copy(B, B_s)
            T.clear(S)
            T.gemm(A_s, B_s, S)
            T.gemm(A_s[:, 0:32], B_s[0:32, :], S)
            T.copy(S, C)

    return main
