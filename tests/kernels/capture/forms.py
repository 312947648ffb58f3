"""Kernels in every form that a program may build them, in several processes; some do not compile here."""

import functools
import multiprocessing
import traceback

import tilelang
import tilelang.language as T


@functools.lru_cache
def outer(M, K=64):
    @tilelang.jit(target="c")
    def inner(rows, act=None):
        @T.prim_func
        def fill(A: T.Tensor((M, K), "float32")):
            with T.Kernel(M // rows) as bx:
                for i in T.serial(rows):
                    A[bx * rows + i, 0] = 1.0

        return fill

    return inner


@tilelang.autotune(configs=[{"rows": 16}, {"rows": 32, "pass_configs": {"tl.disable_vectorize_256": True}}])
@tilelang.jit(target="c", pass_configs={"tl.disable_tma_lower": True})
def tuned(M, rows=None):
    @T.prim_func
    def fill(A: T.Tensor((M,), "float32")):
        with T.Kernel(M // rows) as bx:
            for i in T.serial(rows):
                A[bx * rows + i] = 1.0

    return fill


@tilelang.jit(target={"kind": "cuda", "arch": "sm_90a"})
def faulty(M):
    @T.prim_func
    def sum_up(A: T.Tensor((M,), "float32")):
        with T.Kernel(1, threads=128):
            part = T.alloc_fragment((M,), "float32")
            other = T.alloc_fragment((M + 1,), "float32")
            T.copy(A, part)
            T.reduce_sum(part, other, dim=0)

    return sum_up


@tilelang.jit
def nowhere(M, dtype=T.float16, shape=(1, 2)):
    @T.prim_func
    def fill(A: T.Tensor((M,), dtype)):
        with T.Kernel(M, threads=128) as bx:
            A[bx] = 1.0

    return fill


class Maker:
    def __init__(self, M):
        self.M = M

    def build(self, rows, scale=1):
        M = self.M
        scale = scale * 2

        @T.prim_func
        def fill(A: T.Tensor((M,), "float32")):
            with T.Kernel(M // rows) as bx:
                for i in T.serial(rows):
                    A[bx * rows + i] = 1.0 * scale

        return fill


def child(M):
    outer(M)(8)


def attempt(function):
    try:
        function()
    except Exception:
        traceback.print_exc()


def main():
    outer(128)(16, act=print)
    for method, M in (("spawn", 256), ("fork", 512)):
        process = multiprocessing.get_context(method).Process(target=child, args=(M,))
        process.start()
        process.join()
    outer(2048).par_compile([{"rows": 16}, {"rows": 32}])
    tilelang.compile(Maker(64).build(8), target="c")
    attempt(lambda: tuned(1024))
    attempt(lambda: nowhere(7, dtype=T.bfloat16, shape=(3, 4)))
    attempt(lambda: faulty(64))


if __name__ == "__main__":
    main()
