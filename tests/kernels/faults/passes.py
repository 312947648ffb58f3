"""Faults that a lowering pass reports, each in a kernel of its own."""

import tilelang
import tilelang.language as T


@T.macro
def shift(source, target, step):
    T.copy(source[0:64, step * 32 : step * 32 + 48], target)
  # ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ copy_in_macro TS118 X 64 48 window 32


@T.macro
def multiply(left, right, accumulator):
    T.gemm(left, right, accumulator)
  # ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ second_gemm_mixed TS119 a float16 b int8
  # ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ five_warps TS116 128 q 5 160 threads


@tilelang.jit
def copy_in_macro(K=256):
    @T.prim_func
    def main(X: T.Tensor((64, K), "float16"), Y: T.Tensor((64, K), "float16")):
        with T.Kernel(1, threads=128) as bx:
            window = T.alloc_shared((64, 32), "float16")
            for step in T.serial(K // 32):
                shift(X, window, step)
                T.copy(window, Y[0, step * 32])

    return main


@tilelang.jit
def copy_out(K=256):
    @T.prim_func
    def main(X: T.Tensor((64, K), "float16"), Y: T.Tensor((64, K), "float16")):
        with T.Kernel(1, threads=128) as bx:
            staging = T.alloc_shared((64, 32), "float16")
            T.copy(X[0, 0], staging)
            T.copy(staging, Y[0:32, 0:32])
          # ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ copy_out TS118 staging 64 32 Y

    return main


@tilelang.jit
def copy_to_fragment(K=256):
    @T.prim_func
    def main(X: T.Tensor((64, K), "float16"), Y: T.Tensor((64, K), "float16")):
        with T.Kernel(1, threads=128) as bx:
            kept = T.alloc_fragment((64, 32), "float16")
            T.copy(X[0:64, 0:64], kept)
          # ^^^^^^^^^^^^^^^^^^^^^^^^^^^ copy_to_fragment TS118 X 64 kept 32
            T.copy(kept, Y[0:64, 0:32])

    return main


@tilelang.jit
def mixed_dtypes(M=128):
    @T.prim_func
    def main(A: T.Tensor((M, M), "float16"), B: T.Tensor((M, M), "bfloat16"), C: T.Tensor((M, M), "float32")):
        with T.Kernel(1, threads=128) as bx:
            left = T.alloc_shared((M, M), "float16")
            right = T.alloc_shared((M, M), "bfloat16")
            result = T.alloc_fragment((M, M), "float32")
            T.copy(A, left)
            T.copy(B, right)
            T.clear(result)
            T.gemm(left, right, result)
          # ^^^^^^^^^^^^^^^^^^^^^^^^^^^ mixed_dtypes TS119 left float16 right bfloat16
            T.copy(result, C)

    return main


@tilelang.jit
def second_gemm_mixed(M=64):
    @T.prim_func
    def main(A: T.Tensor((M, M), "float16"), B: T.Tensor((M, M), "int8"), C: T.Tensor((M, M), "float32")):
        with T.Kernel(1, threads=128) as bx:
            a = T.alloc_shared((M, M), "float16")
            b = T.alloc_shared((M, M), "int8")
            s = T.alloc_fragment((M, M), "float32")
            o = T.alloc_fragment((M, M), "float32")
            T.copy(A, a)
            T.copy(B, b)
            T.clear(s)
            T.clear(o)
            for k in T.Pipelined(4, num_stages=2):
                T.gemm(a, a, s, transpose_B=True)
                multiply(a, b, o)
            T.copy(o, C)

    return main


@tilelang.jit
def rows_not_of_sixteen(N=64):
    @T.prim_func
    def main(A: T.Tensor((24, N), "float16"), B: T.Tensor((N, N), "float16"), C: T.Tensor((24, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            narrow = T.alloc_shared((24, N), "float16")
            wide = T.alloc_shared((N, N), "float16")
            result = T.alloc_fragment((24, N), "float32")
            T.copy(A, narrow)
            T.copy(B, wide)
            T.clear(result)
            T.gemm(narrow, wide, result)
          # ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ rows_not_of_sixteen TS120 narrow 24 16
            T.copy(result, C)

    return main


@tilelang.jit
def depth_not_of_sixteen(M=64, N=64):
    @T.prim_func
    def main(A: T.Tensor((M, 24), "float16"), B: T.Tensor((24, N), "float16"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            left = T.alloc_shared((M, 24), "float16")
            right = T.alloc_shared((24, N), "float16")
            result = T.alloc_fragment((M, N), "float32")
            T.copy(A, left)
            T.copy(B, right)
            T.clear(result)
            T.gemm(left, right, result)
          # ^^^^^^^^^^^^^^^^^^^^^^^^^^^ depth_not_of_sixteen TS121 left right 24 16
            T.copy(result, C)

    return main


@tilelang.jit
def shared_accumulator(M=64):
    @T.prim_func
    def main(A: T.Tensor((M, M), "float16"), C: T.Tensor((M, M), "float32")):
        with T.Kernel(1, threads=128) as bx:
            left = T.alloc_shared((M, M), "float16")
            sums = T.alloc_shared((M, M), "float32")
            T.copy(A, left)
            T.clear(sums)
            T.gemm(left, left, sums)
          # ^^^^^^^^^^^^^^^^^^^^^^^^ shared_accumulator TS122 sums
            T.copy(sums, C)

    return main


@tilelang.jit
def misspelt_scope(M=64):
    @T.prim_func
    def main(A: T.Tensor((M, M), "float16"), C: T.Tensor((M, M), "float32")):
        with T.Kernel(1, threads=128) as bx:
            left = T.alloc_shared((M, M), "float16", scope="shared.dny")
            sums = T.alloc_fragment((M, M), "float32")
            T.copy(A, left)
            T.clear(sums)
            T.gemm(left, left, sums)
          # ^^^^^^^^^^^^^^^^^^^^^^^^ misspelt_scope TS122 left shared dny A
            T.copy(sums, C)

    return main


@tilelang.jit
def odd_threads(M=64):
    @T.prim_func
    def main(A: T.Tensor((M, M), "float16"), C: T.Tensor((M, M), "float32")):
        with T.Kernel(1, threads=100) as bx:
            left = T.alloc_shared((M, M), "float16")
            sums = T.alloc_fragment((M, M), "float32")
            T.copy(A, left)
            T.clear(sums)
            T.gemm(left, left, sums)
          # ^^^^^^^^^^^^^^^^^^^^^^^^ odd_threads TS116 64 sums 3 threads 100 4 32
            T.copy(sums, C)

    return main


@tilelang.jit
def odd_threads_in_a_loop(M=64):
    @T.prim_func
    def main(A: T.Tensor((M, M), "float16"), C: T.Tensor((M, M), "float16")):
        with T.Kernel(1, threads=100) as bx:
            tile = T.alloc_fragment((M, M), "float16")
            T.copy(A, tile)
#                     ^^^^ odd_threads_in_a_loop TS134 4096 tile threads 100 32 warp
            for i, j in T.Parallel(M, M):
                C[i, j] = tile[i, j] * 2
#               ^^^^^^^^^^^^^^^^^^^^^^^^ odd_threads_in_a_loop TS134 4096 threads 100

    return main


@tilelang.jit
def too_many_threads(M=64):
    @T.prim_func
    def main(A: T.Tensor((M, M), "float16"), C: T.Tensor((M, M), "float32")):
        with T.Kernel(1, threads=2048) as bx:
#                        ^^^^^^^ too_many_threads TS206 2048 1024
            left = T.alloc_shared((M, M), "float16")
            sums = T.alloc_fragment((M, M), "float32")
            T.copy(A, left)
            T.clear(sums)
            T.gemm(left, left, sums)
          # ^^^^^^^^^^^^^^^^^^^^^^^^ too_many_threads TS116 64 sums 2048 threads
            T.copy(sums, C)

    return main


@tilelang.jit
def five_warps(M=128):
    @T.prim_func
    def main(A: T.Tensor((M, M), "float16"), C: T.Tensor((M, M), "float32")):
        with T.Kernel(1, threads=160) as bx:
            p = T.alloc_shared((M, M), "float16")
            q = T.alloc_fragment((M, M), "float32")
            T.copy(A, p)
            T.clear(q)
            for step in T.serial(3):
                if step > 0:
                    multiply(p, p, q)
            T.copy(q, C)

    return main


@tilelang.jit
def constant_store(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            box = T.alloc_fragment((N,), "float32")
            T.copy(A, box)
            box[200] = 1.0
          # ^^^ constant_store TS124 box 200
            T.copy(box, B)

    return main


@tilelang.jit
def attention_conflict(S=128, D=64):
    @T.prim_func
    def main(Q: T.Tensor((S, D), "float16"), K: T.Tensor((S, D), "float16"), O: T.Tensor((S, D), "float16")):
        with T.Kernel(1, threads=128) as bx:
            q = T.alloc_shared((S, D), "float16")
            k = T.alloc_shared((S, D), "float16")
            logits = T.alloc_fragment((S, S), "float32")
            weights = T.alloc_fragment((S, S), "float16")
            output = T.alloc_fragment((S, D), "float32")
            T.copy(Q, q)
            T.copy(K, k)
            T.clear(logits)
            T.clear(output)
            T.gemm(q, k, logits, transpose_B=True, policy=T.GemmWarpPolicy.FullCol)
            for i, j in T.Parallel(S, S):
          # ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ attention_conflict@sm_80 TS113 logits weights Parallel
                weights[i, j] = T.exp2(logits[i, j])
            T.gemm(weights, k, output, policy=T.GemmWarpPolicy.FullRow)
            T.copy(output, O)

    return main


@tilelang.jit
def two_indices(N=128):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float32"), B: T.Tensor((N, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            grid = T.alloc_fragment((N, N), "float32")
            T.copy(A, grid)
            for i, j in T.Parallel(N, N):
                B[i, j] = grid[i, j] + grid[j, i]
              #           ^^^^ two_indices TS133 grid as i j Parallel

    return main


@tilelang.jit
def operation_in_parallel(N=128):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float32"), B: T.Tensor((N, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            line = T.alloc_shared((N,), "float32")
            for i in T.Parallel(N):
                T.copy(A[i, 0:N], line)
              # ^^^^^^ operation_in_parallel TS125 A line Parallel

    return main


@tilelang.jit
def local_by_parallel(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            own = T.alloc_local((N,), "float32")
            for i in T.Parallel(N):
                own[i] = A[i]
              # ^^^ local_by_parallel TS126 own Parallel i

    return main


@tilelang.jit
def symbolic_truth(N=1024):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(8, threads=128) as bx:
            for i in T.Parallel(128):
                B[bx * 128 + i] = 0.0
            if bx:
          #    ^^ symbolic_truth TS127 bx if
                for i in T.Parallel(128):
                    B[bx * 128 + i] = A[bx * 128 + i]

    return main


@tilelang.jit
def python_scalar(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((1,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            total = 0.0
            for i in T.serial(N):
                total += A[i]
              # ^^^^^ python_scalar TS128 total i
            B[0] = total

    return main


@tilelang.jit
def no_launch(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
  #     ^^^^ no_launch TS129 A B
        for i in T.Parallel(N):
            B[i] = A[i]

    return main


@tilelang.jit
def two_faults(M=64, K=256):
    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((M, M), "int8"), C: T.Tensor((M, M), "float32")):
        with T.Kernel(1, threads=128) as bx:
            a = T.alloc_shared((M, M), "float16")
            b = T.alloc_shared((M, M), "int8")
            o = T.alloc_fragment((M, M), "float32")
            T.copy(A[0:64, 0:72], a)
          # ^^^^^^^^^^^^^^^^^^^^^^^^ two_faults TS118 A 64 72 a
            T.copy(B, b)
            T.clear(o)
            T.gemm(a, b, o)
          # ^^^^^^^^^^^^^^^ two_faults TS119 a float16 b int8
            T.copy(o, C)

    return main


@tilelang.jit
def uninitialized(M=64):
    @T.prim_func
    def main(A: T.Tensor((M, M), "float16"), C: T.Tensor((M,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            tile = T.alloc_fragment((M, M), "float32")
            best = T.alloc_fragment((M,), "float32")
            T.copy(A, tile)
            T.reduce_max(tile, best, dim=1, clear=False)
          #                    ^^^^ uninitialized TS310 best
            T.copy(best, C)

    return main


@tilelang.jit
def race(M=64):
    @T.prim_func
    def main(A: T.Tensor((M, M), "float32"), C: T.Tensor((M,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            bins = T.alloc_shared((M,), "float32")
            T.clear(bins)
            for i, j in T.Parallel(M, M):
                bins[j] = A[i, j]
              # ^^^^^^^ race TS303 Parallel i bins j
            T.copy(bins, C)

    return main
