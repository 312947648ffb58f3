from functools import lru_cache
import tilelang
import tilelang.language as T


@lru_cache(maxsize=None)
def outer(M, N, dtype="float16"):
    @tilelang.jit
    def inner(threads=128):
        @T.prim_func
        def main(A: T.Tensor((M, N), dtype), B: T.Tensor((M, N), dtype)):
            with T.Kernel(T.ceildiv(M, 64), threads=threads) as bx:
                s = T.alloc_shared((64, N), dtype)
                T.copy(A[bx * 64, 0], s)
                T.copy(s, B[bx * 64, 0])
        return main
    return inner


class Op:
    def __init__(self, M=512, N=64):
        self.M, self.N = M, N
        self.kernel = outer(self.M, self.N)(256)


def pick(fast=True):
    if fast:
        @T.prim_func
        def main(A: T.Tensor((128,), "float32")):
            with T.Kernel(1, threads=128) as bx:
                for i in T.Parallel(128):
                    A[i] = 1.0
    else:
        @T.prim_func
        def main(A: T.Tensor((256,), "float32")):
            with T.Kernel(1, threads=128) as bx:
                for i in T.Parallel(256):
                    A[i] = 2.0
    return main


if __name__ == "__main__":
    Op()


class Module:
    @T.prim_func
    def copy(A: T.Tensor((128,), "float32"), B: T.Tensor((128,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            for i in T.Parallel(128):
                B[i] = A[i]
