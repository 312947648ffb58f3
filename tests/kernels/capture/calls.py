"""Kernels that run on a CPU, called as programs call them; each with literal arguments that a call site tells."""

import sys

import tilelang
import tilelang.language as T
import torch


@tilelang.jit(target="c", out_idx=[-1])
def add(N, block, dtype="float32"):
    @T.prim_func
    def main(A: T.Tensor((N,), dtype), B: T.Tensor((N,), dtype), C: T.Tensor((N,), dtype)):
        with T.Kernel(T.ceildiv(N, block)) as bx:
            for i in T.serial(block):
                C[bx * block + i] = A[bx * block + i] + B[bx * block + i]

    return main


@tilelang.jit(target="c")
def double(A, B, block: int = 64):
    N = T.const("N")
    A: T.Tensor[[N], T.float32]
    B: T.Tensor[[N], T.float32]
    with T.Kernel(T.ceildiv(N, block)) as bx:
        for i in T.serial(block):
            B[bx * block + i] = A[bx * block + i] * 2.0


def gemm(M, N, K, rows=16):
    @T.prim_func
    def product(A: T.Tensor((M, K), "float32"), B: T.Tensor((K, N), "float32"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(M // rows) as bx:
            total = T.alloc_local((1,), "float32")
            for i, j in T.grid(rows, N):
                total[0] = 0.0
                for k in T.serial(K):
                    total[0] += A[bx * rows + i, k] * B[k, j]
                C[bx * rows + i, j] = total[0]

    return product


def frames_of_the_hook(function, times):
    """How many Python functions of the hook run while ``function`` is called."""
    entered = []

    def watch(frame, event, argument):
        if event == "call" and "tilescope_worker" in frame.f_code.co_filename:
            entered.append(frame.f_code.co_name)

    sys.setprofile(watch)
    for _ in range(times):
        function()
    sys.setprofile(None)
    return entered


def main():
    ones = torch.ones(1024)
    print(add(1024, 64)(ones, ones).sum().item())
    result = torch.zeros(512)
    double(torch.ones(512), result, block=32)
    print(result.sum().item())
    kernel = tilelang.compile(
        gemm(64, 32, 16), target="c", out_idx=[-1], pass_configs={"tl.disable_vectorize_256": True}
    )
    print(kernel(torch.ones(64, 16), torch.ones(16, 32)).sum().item())
    print(frames_of_the_hook(lambda: add(1024, 64)(ones, ones), 20))
    print(frames_of_the_hook(lambda: double(torch.ones(512), result, block=32), 20))


if __name__ == "__main__":
    main()
    sys.exit(3)
