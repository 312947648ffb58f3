"""What operations of the printed IR are called in a summary, one and several of them."""

from __future__ import annotations

INSTRUCTIONS: dict[str, tuple[str, str]] = {
    "tvm_storage_sync": ("barrier", "barriers"),
    "sync_warp": ("warp barrier", "warp barriers"),
    "sync_threads_partial": ("barrier of some warps", "barriers of some warps"),
    "sync_grid": ("grid barrier", "grid barriers"),
    "mbarrier_wait_parity": ("mbarrier wait", "mbarrier waits"),
    "ptx_arrive_barrier": ("mbarrier arrival", "mbarrier arrivals"),
    "ptx_arrive_cluster_barrier": ("mbarrier arrival", "mbarrier arrivals"),
    "ptx_arrive_barrier_expect_tx": ("arrival with expected bytes", "arrivals with expected bytes"),
    "mbarrier_expect_tx": ("expected-bytes note", "expected-bytes notes"),
    "ptx_init_barrier_thread_count": ("mbarrier initialised", "mbarriers initialised"),
    "ptx_fence_barrier_init": ("fence", "fences"),
    "fence_proxy_async": ("proxy fence", "proxy fences"),
    "tcgen05_before_thread_sync": ("tcgen05 fence", "tcgen05 fences"),
    "tcgen05_after_thread_sync": ("tcgen05 fence", "tcgen05 fences"),
    "ptx_commit_group": ("cp.async commit", "cp.async commits"),
    "ptx_wait_group": ("cp.async wait", "cp.async waits"),
    "set_max_nreg": ("register move", "register moves"),
    "create_tma_descriptor": ("TMA descriptor", "TMA descriptors"),
    "prefetch_tma_descriptor": ("descriptor prefetch", "descriptor prefetches"),
    "tvm_warp_shuffle": ("shuffle", "shuffles"),
    "tvm_warp_shuffle_down": ("shuffle", "shuffles"),
    "shfl_xor": ("shuffle", "shuffles"),
    "ascend_set_flag": ("flag set", "flags set"),
    "ascend_wait_flag": ("flag wait", "flag waits"),
    "ascend_pipe_barrier": ("pipe barrier", "pipe barriers"),
}
"""Operations that are counted wherever they stand."""

FAMILIES: tuple[tuple[str, str], ...] = (
    ("ptx_wgmma", "wgmma"),
    ("wgmma_gemm", "wgmma"),
    ("tcgen05", "tcgen05"),
    ("ptx_tcgen05", "tcgen05"),
    ("ptx_mma", "mma"),
    ("mma_sync", "mma"),
    ("tvm_mfma", "mfma"),
    ("tvm_mmac", "mmac"),
    ("simdgroup_multiply", "simdgroup"),
    ("tma_load", "TMA loads"),
    ("tma_store", "TMA stores"),
    ("tma_copy", "TMA"),
    ("ptx_cp_async", "cp.async"),
    ("ptx_ldmatrix", "ldmatrix"),
    ("ptx_stmatrix", "stmatrix"),
    ("simdgroup_load", "simdgroup load"),
    ("simdgroup_store", "simdgroup store"),
    ("make_filled_simdgroup", "simdgroup"),
    ("ascend_gemm", "cube"),
    ("ascend_copy", "DMA"),
    ("call_extern", "library calls"),
)
"""What a tile operation was lowered to, by the beginning of the operation's name, the most telling first."""

TILE_OPERATIONS: dict[str, tuple[str, str]] = {
    "copy": ("copy", "copies"),
    "async_copy": ("asynchronous copy", "asynchronous copies"),
    "tma_copy": ("TMA copy", "TMA copies"),
    "ascend_copy": ("copy", "copies"),
    "gemm": ("gemm", "gemms"),
    "fill": ("fill", "fills"),
    "reduce": ("reduction", "reductions"),
}
"""Operations on regions; others are called by their names."""


def counted(number: int, noun: tuple[str, str]) -> str:
    """``1 copy``, ``6 copies``."""
    return f"{number} {noun[0] if number == 1 else noun[1]}"


def signed(number: int, noun: tuple[str, str]) -> str:
    """``+2 barriers``, ``-1 loop``."""
    return f"{'+' if number > 0 else '-'}{counted(abs(number), noun)}"
