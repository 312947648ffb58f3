"""Edits of one statement in the kernels of `support`, none of which changes what other statements become.

Left out are edits that do by nature: a warp policy changes the layout of the accumulator and with it every statement
that indexes it, a number of stages changes the index of every buffer of the pipeline.
"""

from __future__ import annotations

GEMM = (
    ("T.max(C_local[i, j], 0.0)", "T.min(C_local[i, j], 0.0)"),
    ("T.max(C_local[i, j], 0.0)", "T.max(C_local[i, j], 2.0)"),
    ("T.clear(C_local)", "T.fill(C_local, 3.0)"),
    ("T.copy(A[by * block_M, k * block_K], A_shared)", "T.copy(A[by * block_M, k * block_K + 64], A_shared)"),
    ("T.copy(B[k * block_K, bx * block_N], B_shared)", "T.copy(B[k * block_K, bx * block_N + 128], B_shared)"),
    ("T.copy(C_local, C[by * block_M, bx * block_N])", "T.copy(C_local, C[by * block_M, bx * block_N + 128])"),
)
ATTENTION = (
    ("T.max(scores_max[i], scores_max_prev[i])", "T.min(scores_max[i], scores_max_prev[i])"),
    ("acc_o[i, j] /= logsum[i]", "acc_o[i, j] /= scores_sum[i]"),
    ("acc_o[i, j] *= scores_scale[i]", "acc_o[i, j] *= scores_sum[i]"),
    ("T.fill(logsum, 0)", "T.fill(logsum, 1)"),
    ("T.fill(acc_o, 0)", "T.fill(acc_o, 5)"),
    (
        "scale - scores_max[i] * scale)\n                for i, j",
        "scale + scores_max[i] * scale)\n                for i, j",
    ),
    ("T.exp2(acc_s[i, j] * scale - scores_max[i]", "T.exp2(acc_s[i, j] * scale - scores_max_prev[i]"),
    ("T.reduce_max(acc_s, scores_max, dim=1", "T.reduce_min(acc_s, scores_max, dim=1"),
    ("T.reduce_sum(acc_s, scores_sum, dim=1)", "T.reduce_max(acc_s, scores_sum, dim=1)"),
    ("scores_scale[i] + scores_sum[i]", "scores_scale[i] - scores_sum[i]"),
    ("T.copy(V[bz, k * block_N", "T.copy(K[bz, k * block_N"),
)
CAUSAL = (*ATTENTION, ("bx * block_M + i >= k * block_N + j", "bx * block_M + i > k * block_N + j"))
DEQUANTIZED = (
    ("T.float16(8)", "T.float16(7)"),
    ("T.uint8(15)", "T.uint8(7)"),
    ("B_values[i, j] * scales[i]", "B_values[i, j] + scales[i]"),
    ("T.clear(C_local)", "T.fill(C_local, 3.0)"),
    ("T.copy(Scales[bx * block_N], scales)", "T.copy(Scales[by * block_M], scales)"),
    ("k * block_K // 2], B_packed)", "k * block_K // 2 + 32], B_packed)"),
    ("T.copy(C_local, C[by * block_M, bx * block_N])", "T.copy(C_local, C[by * block_M, bx * block_N + 64])"),
)
SPLIT_K = (
    ("if bz == 0:", "if bz == 1:"),
    ("T.float32(0)", "T.float32(2)"),
    ("T.clear(C_local)", "T.fill(C_local, 3.0)"),
    ("T.copy(A[by * block_M, bz * part + k * block_K]", "T.copy(A[by * block_M, bz * part]"),
    ("T.atomic_add(C[", "T.atomic_max(C["),
    ("C_shared[i, j])", "C_shared[i, j] * 2.0)"),
)
ELEMENTWISE = (("+ 1.0", "* 2.0"),)
PLAIN_GEMM = (
    ("T.clear(C_local)", "T.fill(C_local, 3.0)"),
    ("T.copy(A[by * bM, k * bK], A_shared)", "T.copy(A[by * bM, k * bK + 32], A_shared)"),
)
ASCEND_GEMM = (
    ("T.copy(A[by * bM, k * bK], A_l1)", "T.copy(A[by * bM, k * bK + 64], A_l1)"),
    ("clear_accum=(k == 0))\n            T.copy(C_l0", "clear_accum=(k == 1))\n            T.copy(C_l0"),
    ("T.copy(C_l0, C[by * bM, bx * bN])", "T.copy(C_l0, C[by * bM, bx * bN + 128])"),
)
ASCEND_VECTOR = (("c[i] = a[i] + b[i]", "c[i] = a[i] * b[i]"),)

MUTATIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "gemm": GEMM,
    "attention": (*ATTENTION, ("T.clear(acc_s)", "T.fill(acc_s, 2)")),
    "causal": CAUSAL,
    "dequantized": DEQUANTIZED,
    "split-k": SPLIT_K,
    "elementwise": ELEMENTWISE,
    "plain-gemm": PLAIN_GEMM,
    "ascend-gemm": ASCEND_GEMM,
    "ascend-vector": ASCEND_VECTOR,
}
