"""What the statements that passes add are for, by their operators."""

from __future__ import annotations

from tilescope_worker.facts.ir import Statement, op_name

_BEFORE = frozenset(
    {
        *("mbarrier_wait_parity", "mbarrier_expect_tx", "ptx_arrive_barrier_expect_tx", "ptx_wait_group"),
        *("tvm_storage_sync", "sync_warp", "sync_grid", "fence_proxy_async", "cluster_sync", "cluster_wait"),
        *("ascend_wait_flag", "ascend_cross_core_wait_flag", "ascend_get_buf", "ascend_pipe_barrier", "mem_bar"),
        *("tcgen05_after_thread_sync", "pdl_sync"),
    }
)
_AFTER = frozenset(
    {
        *("ptx_arrive_barrier", "ptx_arrive_cluster_barrier", "ptx_commit_group", "ptx_fence_barrier_init"),
        *("ascend_set_flag", "ascend_cross_core_set_flag", "ascend_rls_buf", "tcgen05_before_thread_sync"),
        *("cluster_arrive", "cluster_arrive_relaxed", "named_barrier_arrive", "ptx_cp_async_barrier_noinc"),
        *("ascend_threadfence", "pdl_trigger"),
    }
)
_SETUP = frozenset({"ptx_init_barrier_thread_count"})
REGISTERS = "set_max_nreg"
BARRIER_FENCE = "ptx_fence_barrier_init"
SYNC = "tvm_storage_sync"


def short_name(stmt: Statement) -> str:
    """Name of the operator that a statement evaluates, without its dialect; empty for any other statement."""
    if type(stmt).__name__ != "Evaluate":
        return ""
    return op_name(stmt.value).rpartition(".")[2]


def guards_next(stmt: Statement) -> bool:
    """Whether a statement stands before the one it is for: a wait, a fence, an announcement of bytes."""
    return short_name(stmt) in _BEFORE


def guards_previous(stmt: Statement) -> bool:
    """Whether a statement stands behind the one it is for: an arrival, a commit."""
    return short_name(stmt) in _AFTER


def sets_up_barrier(stmt: Statement) -> bool:
    """Whether a statement initializes a barrier."""
    return short_name(stmt) in _SETUP


def is_synchronization(stmt: Statement) -> bool:
    """Whether a statement only orders others, in any of the ways above."""
    name = short_name(stmt)
    return name in _BEFORE or name in _AFTER or name in _SETUP
