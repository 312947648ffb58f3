"""Kinds of faults that have a rule of their own, told by what the compiler says."""

from __future__ import annotations

from collections.abc import Callable

from .case import Case, Wording
from .compile import (
    atomic_shape,
    barrier_count,
    block_k,
    coalesced_width,
    condition_not_boolean,
    copy_shape,
    fragment_index,
    fragment_indices,
    gemm_dtype,
    gemm_m_alignment,
    gemm_operand_layout,
    gemm_shape,
    global_allocation,
    index_rank,
    k_pack,
    layout_conflict,
    layout_shape,
    left_of_kernel,
    local_in_parallel,
    memory_scope,
    missing_launch,
    mutated_scalar,
    no_layout,
    no_such_dimension,
    num_stages_type,
    operation_in_parallel,
    operator_dtype,
    outside_kernel,
    pipeline_in_parallel,
    pipeline_in_while,
    pipeline_length,
    pipelines_share_buffer,
    python_builtin_on_expr,
    python_index,
    reduce_shape,
    return_in_kernel,
    undefined_name,
    unknown_dtype,
    unsupported_statement,
    warp_partition,
    wrong_argument,
)
from .correctness import parallel_race, uninitialized_read
from .memory import ascend_capacity
from .portability import architecture_required, ascend_dialect, removed_api
from .rule import Rule

KINDS: tuple[tuple[Rule, Callable[[Case], Wording | None]], ...] = tuple(
    (module.RULE, module.explain)
    for module in (
        removed_api,
        architecture_required,
        gemm_shape,
        undefined_name,
        layout_conflict,
        pipelines_share_buffer,
        layout_shape,
        index_rank,
        no_such_dimension,
        reduce_shape,
        warp_partition,
        fragment_indices,
        copy_shape,
        gemm_dtype,
        gemm_m_alignment,
        block_k,
        memory_scope,
        global_allocation,
        outside_kernel,
        fragment_index,
        operation_in_parallel,
        local_in_parallel,
        condition_not_boolean,
        mutated_scalar,
        missing_launch,
        num_stages_type,
        python_index,
        python_builtin_on_expr,
        unknown_dtype,
        left_of_kernel,
        unsupported_statement,
        no_layout,
        k_pack,
        barrier_count,
        operator_dtype,
        gemm_operand_layout,
        pipeline_in_parallel,
        pipeline_in_while,
        pipeline_length,
        atomic_shape,
        return_in_kernel,
        coalesced_width,
        ascend_capacity,
        ascend_dialect,
        wrong_argument,
    )
)
"""Each kind that can stop the compiler, with what recognises it; the first that does explains it."""

WARNINGS: tuple[tuple[Rule, Callable[[Case], Wording | None]], ...] = tuple(
    (module.RULE, module.explain) for module in (parallel_race, uninitialized_read, removed_api)
)
"""The same for what the compiler only warns about."""


def recognised(case: Case) -> tuple[Rule, Wording] | None:
    """The rule and the wording for a failure, None where it is of no known kind."""
    for rule, explain in WARNINGS if case.failure.severity == "warning" else KINDS:
        wording = explain(case)
        if wording is not None:
            return rule, wording
    return None
