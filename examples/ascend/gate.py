# Copyright the tilescope authors. Licensed under the Apache License, Version 2.0.
"""Y = gate × up + X on the vector unit of an Ascend NPU, one tile in the unified buffer at a time."""

import tilelang
import tilelang.ascend.language as T


# tilescope: N=1048576 target=ascend
@tilelang.jit
def ascend_gate(N, block=2048, dtype="float32"):
    @T.prim_func
    def ascend_gate_kernel(
        gate: T.Tensor((N,), dtype),
        up: T.Tensor((N,), dtype),
        X: T.Tensor((N,), dtype),
        Y: T.Tensor((N,), dtype),
    ):
        with T.Kernel(N // block) as bx:
            gate_tile = T.alloc_shared((block,), dtype)
            up_tile = T.alloc_shared((block,), dtype)
            x_tile = T.alloc_shared((block,), dtype)
            y_tile = T.alloc_shared((block,), dtype)

            T.copy(gate[bx * block], gate_tile)
            T.copy(up[bx * block], up_tile)
            T.copy(X[bx * block], x_tile)
            with T.SimdVF():
                for i in T.Parallel(block):
                    y_tile[i] = gate_tile[i] * up_tile[i] + x_tile[i]
            T.copy(y_tile, Y[bx * block])

    return ascend_gate_kernel
