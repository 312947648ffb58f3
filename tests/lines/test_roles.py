"""Origins and roles of particular lines."""

from __future__ import annotations

from .support import Generated, generated


def roles(made: Generated, piece: str) -> set[str | None]:
    found = made.at(piece)
    assert found
    return {record.role if record is not None else "no record" for record in found}


def lines(made: Generated, piece: str) -> list[tuple[int, ...]]:
    return [tuple(line for _, line in record.origins) if record is not None else () for record in made.at(piece)]


def test_sides_of_a_warp_specialized_kernel() -> None:
    made = generated("gemm", "cuda:sm_90a")
    assert roles(made, "tl::tma_load(") == {"producer"}
    assert roles(made, "tl::wgmma_ss") == {"consumer"}
    assert roles(made, ".wait(") == roles(made, ".arrive") == roles(made, "fence_barrier_init") == {"barrier"}
    assert roles(made, "max(v_") == {"epilogue"}
    assert roles(made, "make_float4(broadcast_var,") == {"prologue"}
    assert roles(made, "main_kernel(") == roles(made, "warpgroup_reg_") == {"launch"}
    assert roles(made, "buf_dyn_shmem[]") == roles(made, "float C_local[") == {"allocation"}


def test_parts_of_a_pipelined_loop() -> None:
    made = generated("gemm", "cuda:sm_80")
    assert roles(made, "cp_async_gs") == {"prologue", "producer"}
    assert roles(made, "mma_sync") == {"consumer", "epilogue"}
    assert roles(made, "for (int k = ") == {"loop"}
    assert roles(made, "cp_async_wait") == roles(made, "__syncthreads()") == {"barrier"}


def test_barriers_belong_to_what_they_guard_and_to_the_loop_that_numbers_them() -> None:
    made = generated("gemm", "cuda:sm_90a")
    loop = made.python_line("T.Pipelined(")
    copy, gemm = made.python_line("T.copy(A["), made.python_line("T.gemm(")
    assert lines(made, ".wait(") == [(copy, loop), (gemm, loop)]
    assert lines(made, ".arrive();") == [(gemm, loop)]


def test_what_several_statements_share_has_all_their_lines() -> None:
    made = generated("gemm", "cuda:sm_90a")
    a, b = made.python_line("A_shared = "), made.python_line("B_shared = ")
    assert lines(made, "buf_dyn_shmem[]") == [(a, b)]
    assert lines(made, "void* A_shared") == [(a,)]
    copies = made.python_line("T.copy(A["), made.python_line("T.copy(B[")
    assert lines(made, "tl_shuffle_elect<128>()") == [copies]


def test_a_signature_has_the_lines_of_the_definition_its_parameters_and_what_uses_them() -> None:
    made = generated("gemm", "cuda:sm_80")
    start = made.python_line("def main(")
    copies = [made.python_line(piece) for piece in ("T.copy(A[", "T.copy(B[", "T.copy(C_local")]
    assert set(lines(made, "main_kernel(")) == {(start, start + 1, start + 2, start + 3, *copies)}


def test_the_store_in_a_vector_block() -> None:
    made = generated("ascend-vector", "ascend")
    assert lines(made, "simd_inst::vadd") == [(made.python_line("c[i] = a[i] + b[i]"),)]
    assert lines(made, "for (int32_t vchunk") == [(made.python_line("T.Parallel(block)"),)]
