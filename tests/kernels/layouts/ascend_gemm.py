import tilelang
import tilelang.ascend.language as T


@tilelang.jit
def kernel(M=64, N=64, K=64, block=32):
    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((N, K), "float16"),
        C: T.Tensor((M, N), "float32"),
    ):
        with T.Kernel(T.ceildiv(M, block) * T.ceildiv(N, block)) as tile:
            A_l1 = T.alloc_l1((block, block), "float16")
            B_l1 = T.alloc_l1((block, block), "float16")
            C_l0 = T.alloc_l0c((block, block), "float32")
            by, bx = tile // T.ceildiv(N, block), tile % T.ceildiv(N, block)
            for k in T.serial(T.ceildiv(K, block)):
                T.copy(A[by * block, k * block], A_l1)
                T.copy(B[bx * block, k * block], B_l1)
                T.gemm(A_l1, B_l1, C_l0, transpose_B=True, clear_accum=(k == 0))
            T.copy(C_l0, C[by * block, bx * block])

    return main
