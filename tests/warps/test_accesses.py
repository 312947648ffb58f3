"""What warp accesses tell: guards, sizes and data that are not known, padding, targets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import tvm
from tests.facts.conftest import read_kernel
from tvm import tirx

from tilescope_worker.facts.warps.accesses import warp_accesses
from tilescope_worker.facts.warps.banks import amd_conflict, conflict

from .conftest import NO_TMA, Lowered, lowered_text

KERNEL = """\
import tilelang
import tilelang.language as T

@tilelang.jit
def kernel(N=256, last=64):
    M = T.dynamic("M")

    @T.prim_func
    def main(
        A: T.Tensor((N, N), "float32"),
        order: T.Tensor((N,), "int32"),
        B: T.Tensor((M, N), "float32"),
        C: T.Tensor((N, M), "float16"),
    ):
        with T.Kernel(2, threads=128) as bx:
            S = T.alloc_shared((N, 32), "float32")
            tx = T.get_thread_binding()
            S[tx, 0] = A[0, tx]
            if tx < 4:
                S[tx, 1] = A[1, tx]
            if tx < last:
                S[tx, 2] = A[2, tx]
            if order[0] == 1:
                S[tx, 3] = A[3, tx]
            S[tx, 4] = A[order[tx], 0]
            T.atomic_add(S[tx, 5], 1.0)
            for k in T.serial(bx * 2, N // 64):
                S[tx, 6 + k] = A[k, tx * 2]
            B[bx, tx] = S[tx, 7]
            C[tx, bx] = T.Cast("float16", S[tx // 32, 8])

    return main
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Lowered]:
    known: dict[str, Lowered] = {}

    def of(target: str = "cuda:sm_90a") -> Lowered:
        if target not in known:
            path = tmp_path_factory.mktemp("kernels") / "kernel.py"
            known[target] = lowered_text(str(path), KERNEL, "kernel", target, {})
        return known[target]

    return of


def ways(found: Lowered, piece: str, mode: str = "write") -> int | None:
    """How an access to S on the line with ``piece`` conflicts."""
    (access,) = [one for one in found.accesses if one.buffer == "S" and one.mode == mode and piece in found.line(one)]
    return access.ways


def test_guards_narrow_the_lanes(found: Callable[..., Lowered]) -> None:
    assert ways(found(), "S[tx, 0]") == 32
    assert ways(found(), "S[tx, 1]") == 4
    assert ways(found(), "S[tx, 2]") == 32


def test_lanes_that_conflict_are_told(found: Callable[..., Lowered]) -> None:
    (access,) = [one for one in found().accesses if one.buffer == "S" and "S[tx, 1]" in found().line(one)]
    assert access.lanes == (0, 1, 2, 3)
    assert (access.stride_bytes, access.phases, access.wavefronts) == (128, 1, 4)
    assert (access.bytes_per_thread, access.instruction, access.space) == (4, "scalar", "shared")


def test_what_depends_on_data_is_not_told(found: Callable[..., Lowered]) -> None:
    unsure = {(one.buffer, one.mode, found().line(one)): one.unsure for one in found().accesses if one.unsure}
    assert unsure == {
        ("A", "read", "S[tx, 3] = A[3, tx]"): "which lanes take part depends on the data of order",
        ("S", "write", "S[tx, 3] = A[3, tx]"): "which lanes take part depends on the data of order",
        ("A", "read", "S[tx, 4] = A[order[tx], 0]"): "depends on the data of order",
        # Read again behind the compiler's own guard.
        ("order", "read", "S[tx, 4] = A[order[tx], 0]"): "which lanes take part depends on the data of order",
    }
    for one in found().accesses:
        assert (one.unsure is None) == (one.ways is not None or one.sectors is not None)


def test_loops_are_sampled_where_they_begin(found: Callable[..., Lowered]) -> None:
    (read,) = [one for one in found().accesses if one.buffer == "A" and "A[k, tx * 2]" in found().line(one)]
    assert (read.sectors, read.ideal_sectors, read.stride_bytes) == (8, 4, 8)
    assert read.sector_use == 0.5


def test_sizes_known_at_run_time_keep_rows_aligned(found: Callable[..., Lowered]) -> None:
    write = found().of("B", "write")
    assert (write.sectors, write.ideal_sectors) == (4, 4)
    write = found().of("C", "write")
    assert (write.sectors, write.ideal_sectors, write.sector_use) == (32, 2, 1 / 16)


def test_one_word_for_all_lanes_is_free_but_for_atomics(found: Callable[..., Lowered]) -> None:
    assert ways(found(), "S[tx // 32, 8]", "read") == 1
    assert conflict([0] * 32, 4, "load").wavefronts == 1
    assert conflict([0] * 32, 4, "atomic").wavefronts == 32
    assert ways(found(), "atomic_add", "atomic") == 32


def test_wavefronts_of_amd_have_64_lanes(found: Callable[..., Lowered]) -> None:
    amd = found("hip:gfx942")
    assert ways(amd, "S[tx, 0]") == 32
    (access,) = [one for one in amd.accesses if one.buffer == "S" and "S[tx, 0]" in amd.line(one)]
    assert (access.phases, access.wavefronts) == (2, 64)
    assert all(one.sectors is None for one in amd.accesses)
    assert amd_conflict([lane * 16 for lane in range(64)], 16, "load") == conflict_free(8)
    assert amd_conflict([lane * 8 for lane in range(64)], 8, "load") is None


def conflict_free(phases: int) -> object:
    return conflict([lane * 16 for lane in range(32)] * (phases // 4), 16, "store")


@pytest.mark.parametrize("target", ["hip:gfx1100", "metal", "c", "webgpu", "ascend"])
def test_other_targets_are_not_modelled(found: Callable[..., Lowered], target: str) -> None:
    assert warp_accesses(found().vectorized, target, "kernel.py", {}) == ()


def test_an_index_without_a_value_is_not_told(found: Callable[..., Lowered]) -> None:
    """A shift by less than nothing has none, and costs no other access."""
    stored = tirx.decl_buffer((128,), "float32", "S", scope="shared")
    thread = tirx.Var("tx", "int32")
    store = tirx.BufferStore(stored, tirx.FloatImm("float32", 0), [tirx.shift_left(thread, thread - 100)])
    plain = tirx.BufferStore(stored, tirx.FloatImm("float32", 0), [thread])
    body = tirx.For(thread, 0, 64, tirx.ForKind.SERIAL, tirx.SeqStmt([store, plain]))
    module = tvm.IRModule({"main": tirx.PrimFunc([], body)})
    told = [(one.ways, one.unsure) for one in warp_accesses(module, "cuda:sm_90a", "kernel.py", {})]
    assert told == [(None, "an index cannot be evaluated")]


def test_padding_frees_rows_of_their_conflicts(lowered: Callable[..., Lowered]) -> None:
    read = lowered("transpose", "cuda:sm_80").of("S", "read")
    assert (read.ways, read.padding) == (32, 1)
    assert lowered("transpose", "cuda:sm_80", pad=1).of("S", "read").ways == 1
    read = lowered("rows_of_vectors", "cuda:sm_80").of("S", "read")
    assert (read.ways, read.padding) == (8, 8)
    assert lowered("rows_of_vectors", "cuda:sm_80", pad=8).of("S", "read").ways == 1
    # A layout that was annotated is not one of rows.
    assert {one.padding for one in lowered("gemm", "cuda:sm_80", linear=True).accesses} == {None}


PLANE = """\
import tilelang
import tilelang.language as T

@tilelang.jit
def kernel():
    @T.prim_func
    def main(A: T.Tensor((64, 32), "float32")):
        with T.Kernel(1, threads=(8, 16)) as bx:
            S = T.alloc_shared((64, 32), "float32")
            tx, ty = T.get_thread_binding(0), T.get_thread_binding(1)
            S[ty, tx] = A[ty, tx]
            S[tx, ty] = A[tx, ty]

    return main
"""


def test_threads_of_two_dimensions_are_numbered_along_the_first() -> None:
    plane = lowered_text("plane.py", PLANE, "kernel", "cuda:sm_90a", {})
    assert ways(plane, "S[ty, tx]") == 4
    assert ways(plane, "S[tx, ty]") == 8
    read = {plane.line(one): one.sectors for one in plane.accesses if one.buffer == "A"}
    assert read == {"S[ty, tx] = A[ty, tx]": 4, "S[tx, ty] = A[tx, ty]": 8}


def test_swizzles_free_wide_accesses_and_help_narrow_ones() -> None:
    path, text = read_kernel("warp_accesses.py")
    for shape in ('(tile, tile + pad), "float32")', '(N, width + pad), "float16")'):
        swizzle = "T.annotate_layout({S: tilelang.layout.make_swizzled_layout(S)})"
        text = text.replace(f"S = T.alloc_shared({shape}", f"S = T.alloc_shared({shape}\n            {swizzle}")
    columns = lowered_text(path, text, "transpose", "cuda:sm_80", NO_TMA)
    assert (columns.of("S", "read").ways, columns.of("S", "write").ways) == (4, 1)
    assert lowered_text(path, text, "rows_of_vectors", "cuda:sm_80", NO_TMA).of("S", "read").ways == 1


def test_lines_are_those_of_the_kernels_file(lowered: Callable[..., Lowered]) -> None:
    found = lowered("transpose", "cuda:sm_80")
    elsewhere = warp_accesses(found.vectorized, "cuda:sm_80", str(Path("other.py")), {})
    assert elsewhere
    assert {one.line for one in elsewhere} == {None}
