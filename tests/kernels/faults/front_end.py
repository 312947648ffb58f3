"""Faults that TileLang's front end reports, each in a kernel of its own."""

import tilelang
import tilelang.language as T


@T.macro
def load_tile(source, tile, row, column):
    T.copy(source[row, column], tile)


@T.macro
def multiply(left, right, accumulator):
    T.gemm(left, right, accumulator)
  # ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ gemm_in_macro TS111 K 32 x_tile 48 y_tile 64


@tilelang.jit
def gemm_in_macro(M=256, N=256, K=256, block=64):
    @T.prim_func
    def main(X: T.Tensor((M, K), "float16"), Y: T.Tensor((K, N), "float16"), Z: T.Tensor((M, N), "float16")):
        with T.Kernel(T.ceildiv(N, block), T.ceildiv(M, block), threads=128) as (bx, by):
            x_tile = T.alloc_shared((block, 32), "float16")
            y_tile = T.alloc_shared((48, block), "float16")
            out = T.alloc_fragment((block, block), "float32")
            T.clear(out)
            for ko in T.Pipelined(T.ceildiv(K, 32), num_stages=2):
                load_tile(X, x_tile, by * block, ko * 32)
                load_tile(Y, y_tile, ko * 48, bx * block)
                multiply(x_tile, y_tile, out)
            T.copy(out, Z[by * block, bx * block])

    return main


@tilelang.jit
def second_gemm_of_attention(S=128, D=64):
    @T.prim_func
    def main(Q: T.Tensor((S, D), "float16"), K: T.Tensor((S, D), "float16"), V: T.Tensor((S, D), "float16"), O: T.Tensor((S, D), "float16")):
        with T.Kernel(1, threads=128) as bx:
            q = T.alloc_shared((S, D), "float16")
            k = T.alloc_shared((S, D), "float16")
            v = T.alloc_shared((D, S), "float16")
            scores = T.alloc_fragment((S, S), "float32")
            probabilities = T.alloc_fragment((S, S), "float16")
            output = T.alloc_fragment((S, D), "float32")
            T.copy(Q, q)
            T.copy(K, k)
            T.clear(scores)
            T.gemm(q, k, scores, transpose_B=True)
            T.copy(scores, probabilities)
            T.clear(output)
            T.gemm(
          # ^^^^^^^ second_gemm_of_attention TS111 K 128 probabilities 64 v
                probabilities,
                v,
                output,
            )
            T.copy(output, O)

    return main


@tilelang.jit
def gemm_rows(M=128):
    @T.prim_func
    def main(A: T.Tensor((M, M), "float16"), C: T.Tensor((M, M), "float16")):
        with T.Kernel(1, threads=128) as bx:
            left = T.alloc_shared((64, 64), "float16")
            right = T.alloc_shared((64, 128), "float16")
            result = T.alloc_fragment((128, 128), "float32")
            T.clear(result)
            T.gemm(left, right, result)
          # ^^^^^^^^^^^^^^^^^^^^^^^^^^^ gemm_rows TS111 M 64 left 128 result

    return main


@tilelang.jit
def misspelt_operation(N=1024):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            tile = T.alloc_fragment((N,), "float32")
            T.cleer(tile)
          #   ^^^^^ misspelt_operation TS112 cleer
            T.copy(tile, B)

    return main


@tilelang.jit
def undefined_in_loop(N=1024, block_size=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(T.ceildiv(N, block_size), threads=128) as bx:
            for i in T.Parallel(block_size):
                B[bx * block_sizes + i] = A[bx * block_size + i]
              #        ^^^^^^^^^^^ undefined_in_loop TS112 block_sizes

    return main


@tilelang.jit
def whole_copy(N=128):
    @T.prim_func
    def main(A: T.Tensor((N, 64), "float32"), B: T.Tensor((N, 64), "float32")):
        with T.Kernel(1, threads=128) as bx:
            inbox = T.alloc_shared((N, 64), "float32")
            outbox = T.alloc_fragment((N, 32), "float32")
            T.copy(A, inbox)
            T.copy(inbox, outbox)
          # ^^^^^^^^^^^^^^^^^^^^^ whole_copy TS118 inbox 128 64 outbox 32

    return main


@tilelang.jit
def store_rank(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            for i, j in T.Parallel(N, N):
                B[i] = A[j]
              # ^ store_rank TS114 B 2 1

    return main


@tilelang.jit
def load_rank_in_expression(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            row = T.alloc_fragment((N,), "float32")
            for i in T.Parallel(N):
                row[i] = T.exp(A[i, 0]) + 1.0
              #                ^ load_rank_in_expression TS114 A 1 128 2 i 0

    return main


@tilelang.jit
def reduce_sum_rows(M=64, N=96):
    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), C: T.Tensor((M,), "float32")):
        with T.Kernel(1, threads=128) as b:
            values = T.alloc_fragment((M, N), "float32")
            total = T.alloc_fragment((M,), "float32")
            T.copy(A, values)
            T.reduce_sum(values, total, dim=0)
          # ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ reduce_sum_rows TS115 reduce_sum total 64 values 96 0 1
            T.copy(total, C)

    return main


@tilelang.jit
def reduce_in_pipeline(M=64, N=32):
    @T.prim_func
    def main(A: T.Tensor((M, N * 4), "float32"), C: T.Tensor((M,), "float32")):
        with T.Kernel(1, threads=128) as b:
            chunk = T.alloc_fragment((M, N), "float32")
            best = T.alloc_fragment((N, 1), "float32")
            for step in T.Pipelined(4, num_stages=1):
                T.copy(A[0, step * N], chunk)
                T.reduce_max(chunk, best, dim=1, clear=False)
              # ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ reduce_in_pipeline TS115 reduce_max best 32 1 chunk 64

    return main


@tilelang.jit
def list_index(N=128):
    scales = [1.0, 2.0, 3.0, 4.0]

    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(4, threads=128) as bx:
            for i in T.Parallel(N):
                B[i] = A[i] * scales[bx]
              #               ^^^^^^ list_index TS135 scales

    return main


@tilelang.jit
def python_min(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(4, threads=128) as bx:
            for i in T.Parallel(N):
                B[i] = 2.0 * min(A[i], A[N - 1 - i])
              #              ^^^ python_min TS117 min

    return main


@tilelang.jit
def python_and(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(4, threads=128) as bx:
            for i in T.Parallel(N):
                B[i] = T.if_then_else(not A[i] > 0.0, A[i], 0.0)

    return main


@tilelang.jit
def stages_text(N=1024):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            tile = T.alloc_shared((128,), "float32")
            for k in T.Pipelined(N // 128, num_stages="2"):
          #                                ^^^^^^^^^^ stages_text TS130 Pipelined num_stages 2
                T.copy(A[k * 128], tile)
                T.copy(tile, B[k * 128])

    return main


@tilelang.jit
def stages_fraction(N=1024):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            tile = T.alloc_shared((128,), "float32")
            for k in T.Pipelined(N // 128, num_stages=0.5):
          #                                ^^^^^^^^^^ stages_fraction TS130 Pipelined num_stages 0 5
                T.copy(A[k * 128], tile)
                T.copy(tile, B[k * 128])

    return main


@tilelang.jit
def missing_dtype(N=1024):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            tile = T.alloc_shared()
          #          ^^^^^^^^^^^^ missing_dtype TS131 alloc_shared
            T.copy(A, tile)

    return main


@tilelang.jit
def unknown_keyword(N=1024):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float16"), B: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            a = T.alloc_shared((64, 64), "float16")
            c = T.alloc_fragment((64, 64), "float32")
            T.gemm(a, a, c, transposeB=True)
          #                 ^^^^^^^^^^ unknown_keyword TS131 transposeB

    return main


@tilelang.jit
def class_inside(N=1024):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float16"), B: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            class Config:
          #       ^^^^^^ class_inside TS132 class Config
                size = 4
            a = T.alloc_shared((Config.size, 64), "float16")

    return main


@tilelang.jit
def bad_dtype(N=1024):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float16"), B: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            a = T.alloc_shared((64, 64), "flaot16")
          #                               ^^^^^^^ bad_dtype TS136 flaot16
            T.copy(A[0, 0], a)

    return main


@tilelang.jit
def eager_gemm(A, B, block: int = 64):
    M, N, K = T.const("M, N, K")
    A: T.Tensor((M, K), "float16")
    B: T.Tensor((K, N), "float16")
    C = T.empty((M, N), "float16")
    with T.Kernel(T.ceildiv(N, block), T.ceildiv(M, block), threads=128) as (bx, by):
        a = T.alloc_shared((block, 32), "float16")
        b = T.alloc_shared((64, block), "float16")
        acc = T.alloc_fragment((block, block), "float32")
        T.clear(acc)
        for k in T.Pipelined(T.ceildiv(K, 32), num_stages=2):
            T.copy(A[by * block, k * 32], a)
            T.copy(B[k * 32, bx * block], b)
            T.gemm(a, b, acc)
          # ^^^^^^^^^^^^^^^^^ eager_gemm TS111 K 32 a 64 b
        T.copy(acc, C[by * block, bx * block])
    return C
