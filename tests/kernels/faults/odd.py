"""Faults whose messages name neither a place nor a buffer, or that lie off the usual ways."""

import tilelang
import tilelang.language as T


@tilelang.jit
def fragment_out_of_range(N=128):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float32"), B: T.Tensor((N, N), "float32")):
        with T.Kernel(1, threads=128) as bx:
            tile = T.alloc_fragment((N, N), "float32")
            T.copy(A, tile)
            for i in T.Parallel(N):
                tile[i, 200] = 0.0
              # ^^^^ fragment_out_of_range TS124 tile 200 Parallel 0
            T.copy(tile, B)

    return main


@tilelang.jit
def three_dimensional_gemm(M=64):
    @T.prim_func
    def main(A: T.Tensor((2, M, M), "float16"), C: T.Tensor((M, M), "float32")):
        with T.Kernel(1, threads=128) as bx:
            a = T.alloc_shared((2, M, M), "float16")
            c = T.alloc_fragment((M, M), "float32")
            T.copy(A, a)
            T.clear(c)
            T.gemm(a, a, c)
          # ^^^^^^^^^^^^^^^ three_dimensional_gemm TS101 A tensor
            T.copy(c, C)

    return main


@tilelang.jit
def python_int(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "int32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            for i in T.serial(N):
                B[int(A[i])] = 1.0
              #   ^^^ python_int TS117 int

    return main


@tilelang.jit
def layout_of_another_shape(N=128):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float16"), B: T.Tensor((N, N), "float16")):
        with T.Kernel(4, threads=128) as bx:
            tile = T.alloc_shared((N, N), "float16")
            other = T.alloc_shared((64, 64), "float16")
            T.annotate_layout({tile: tilelang.layout.make_swizzled_layout(other)})
          # ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ layout_of_another_shape TS123 layout 64 128
            T.copy(A, tile)
            T.copy(tile, B)

    return main


@tilelang.jit
def reduce_to_global(N=128):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            tile = T.alloc_fragment((N, N), "float32")
            T.copy(A, tile)
            T.reduce_sum(tile, B, dim=1)
          # ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ reduce_to_global TS101 local.fragment global

    return main


@tilelang.jit
def reduce_dimension(N=128):
    @T.prim_func
    def main(A: T.Tensor((N, N), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            tile = T.alloc_fragment((N, N), "float32")
            sums = T.alloc_fragment((N,), "float32")
            T.copy(A, tile)
            T.reduce_sum(tile, sums, dim=2)
          #                          ^^^ reduce_dimension TS145 reduce_sum tile 128 2
            T.copy(sums, B)

    return main


@tilelang.jit
def unknown_policy(M=64):
    @T.prim_func
    def main(A: T.Tensor((M, M), "float16"), C: T.Tensor((M, M), "float32")):
        with T.Kernel(1, threads=128) as bx:
            a = T.alloc_shared((M, M), "float16")
            c = T.alloc_fragment((M, M), "float32")
            T.clear(c)
            T.gemm(a, a, c, policy=T.GemmWarpPolicy.Rows)
          #                                         ^^^^ unknown_policy TS112 GemmWarpPolicy Rows

    return main


@tilelang.jit
def attribute_of_buffer(M=64):
    @T.prim_func
    def main(A: T.Tensor((M, M), "float16"), C: T.Tensor((M, M), "float32")):
        with T.Kernel(1, threads=128) as bx:
            c = T.alloc_fragment((M, M), "float32")
            c.zero()
          #   ^^^^ attribute_of_buffer TS112 c zero

    return main


@tilelang.jit
def own_assertion(M=64, block=48):
    assert M % block == 0, "M must be a multiple of block"
  #        ^^^^^^^^^^^^^^ own_assertion TS101 M must be a multiple block

    @T.prim_func
    def main(A: T.Tensor((M, M), "float16"), C: T.Tensor((M, M), "float32")):
        with T.Kernel(1, threads=128) as bx:
            c = T.alloc_fragment((M, M), "float32")
            T.copy(c, C)

    return main


@tilelang.jit
def string_stored(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            for i in T.Parallel(N):
                B[i] = "zero"
              # ^^^^ string_stored TS101

    return main


@tilelang.jit
def two_undefined(N=128):
    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(1, threads=128) as bx:
            tile = T.alloc_shared((N,), "float32")
            T.copy(a, tile)
          #        ^ two_undefined TS112 a
            for i in T.Parallel(N):
                tile[i] = tile[i] * factor
              #                     ^^^^^^ two_undefined TS112 factor
            T.copy(tile, B)

    return main
