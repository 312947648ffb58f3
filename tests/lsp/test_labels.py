from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilescope_server import labels
from tilescope_server.fitting import Part, fit
from tilescope_server.settings import Hints
from tilescope_trace.model import Buffer, Kernel, Launch, Layout, Operation


def test_an_allocation_says_shape_type_scope_stages_swizzle_and_size(compiled_kernel: Kernel) -> None:
    a, c = compiled_kernel.buffers
    assert str(labels.buffer_label(a)) == ": [128,32] f16 shared ×3 ⟨swz64⟩ 24 KiB"
    assert str(labels.buffer_label(c)) == ": [128,128] f32 fragment 128 regs/thread"


def test_memories_of_an_npu_have_their_own_names() -> None:
    buffer = Buffer("a", 1, 1, (128, 64), "float16", "shared.l1", 1, 16384, layout=Layout("fractal", "zN"))
    assert str(labels.buffer_label(buffer)) == ": [128,64] f16 L1 ⟨fractal⟩ 16 KiB"


def test_a_launch_says_grid_threads_as_written_and_as_lowered_and_shared_memory(compiled_kernel: Kernel) -> None:
    assert compiled_kernel.launch is not None
    assert str(labels.launch_label(compiled_kernel.launch)) == "grid 8×8 · 128→256 threads · 48 KiB"
    assert str(labels.launch_label(Launch(grid=(4,), threads=128))) == "grid 4 · 128 threads"
    assert labels.launch_label(Launch()) is None


@pytest.mark.parametrize(
    ("operation", "label"),
    [
        (Operation("copy", 1, lowered_to=("tma_load",)), "→ TMA load"),
        (Operation("copy", 1, lowered_to=("cp_async",), detail={"vector_bytes": 16}), "→ cp.async 16B"),
        (Operation("copy", 1, lowered_to=("vector_ld", "vector_st")), "→ vector load, vector store"),
        (Operation("gemm", 1, lowered_to=("wgmma",)), "→ wgmma"),
        (
            Operation("gemm", 1, lowered_to=("ldmatrix", "mma"), detail={"instruction": "mma m16n8k16"}),
            "→ ldmatrix, mma m16n8k16",
        ),
        (Operation("pipeline", 1, detail={"num_stages": 3, "async_producers": [1, 1, 0]}), "3 stages, async"),
        (
            Operation("pipeline", 1, detail={"num_stages": 3, "stages": 3, "producer_threads": 128}),
            "3 stages, async, warp-specialized",
        ),
        (Operation("pipeline", 1, detail={"num_stages": 3, "stages": 2}), "3→2 stages"),
        (Operation("pipeline", 1, detail={"num_stages": 1}), "1 stage"),
        (Operation("copy", 1), None),
        (Operation("parallel", 1, lowered_to=("vector",)), None),
    ],
)
def test_an_operation_says_what_became_of_it(operation: Operation, label: str | None) -> None:
    found = labels.operation_label(operation)
    assert (found and found.text) == label


def test_reservations_are_the_same_signs_in_every_hint(compiled_kernel: Kernel) -> None:
    assumed = replace(
        compiled_kernel, status="partial", specialization=replace(compiled_kernel.specialization, origin="assumed")
    )
    marks = labels.marks_of(assumed, stale=True)
    assert compiled_kernel.launch is not None
    assert str(labels.operation_label(Operation("gemm", 1, lowered_to=("wgmma",)), marks)) == "→ wgmma ~≈…"
    assert str(labels.launch_label(compiled_kernel.launch, marks)) == "grid 8×8 · 128→256 threads · 48 KiB ~≈…"
    assert str(labels.buffer_label(compiled_kernel.buffers[0], marks, others=2)) == (
        ": [128,32] f16 sh ×3 swz64 24K ~≈… +2"
    )


def test_sizes_and_swizzles_are_written_one_way_also_where_room_is_scarce() -> None:
    layout = Layout("shared", "", "128B")
    wide = Buffer("x", 1, 1, (1, 128, 1, 128), "float8_e4m3fn", "shared.dyn", 3, 49152, layout=layout)
    label = labels.buffer_label(wide, [labels.STALE])
    assert str(label) == ": [4-d] f8e4m3fn sh ×3 swz128 48K ~"
    launch = Launch((16, 32), 128, 384, shared_dynamic_bytes=163968)
    assert str(labels.launch_label(launch, [labels.STALE])) == "grid 16×32 · 128→384 threads · 160.1K ~"


def test_a_fragment_has_no_size_in_memory_whatever_the_stage() -> None:
    fragment = Buffer("C", 1, 1, (128, 128), "float32", "local.fragment", 1, 65536)
    assert str(labels.buffer_label(fragment)) == ": [128,128] f32 fragment"


shapes = st.lists(st.one_of(st.integers(1, 1 << 20), st.sampled_from(["N", "T.ceildiv(N, block_N) * 2"])), max_size=4)


@given(shape=shapes, stages=st.integers(1, 16), size=st.integers(0, 1 << 30), stale=st.booleans())
def test_a_label_is_never_too_long_and_keeps_every_part(
    shape: list[int | str], stages: int, size: int, stale: bool
) -> None:
    layout = Layout("shared", "", "128B")
    buffer = Buffer("x", 1, 1, tuple(shape), "float8_e4m3fn", "shared.dyn", stages, size, layout=layout)
    label = str(labels.buffer_label(buffer, [labels.STALE] if stale else []))
    assert len(label) <= 40
    assert "f8e4m3fn" in label
    assert "swz128" in label
    assert stages == 1 or f"×{stages}" in label
    assert label.endswith(" ~") == stale


@pytest.mark.parametrize("limit", [12, 20, 28, 60])
def test_a_limit_is_kept_and_what_is_cut_is_seen_to_be(compiled_kernel: Kernel, limit: int) -> None:
    assert compiled_kernel.launch is not None
    said = [
        labels.buffer_label(compiled_kernel.buffers[0], [labels.STALE], hints=Hints(max_length=limit)),
        labels.launch_label(compiled_kernel.launch, [labels.STALE], hints=Hints(max_length=limit)),
    ]
    for label in said:
        assert len(str(label)) <= limit
        assert str(label).endswith("… ~" if limit <= 20 else " ~")


@pytest.mark.parametrize(
    ("kinds", "label"),
    [
        (Hints(layout=False), ": [128,32] f16 shared ×3 24 KiB"),
        (Hints(memory=False), ": [128,32] f16 shared ×3 ⟨swz64⟩"),
        (Hints(buffer=False), ": ⟨swz64⟩ 24 KiB"),
        (Hints(buffer=False, layout=False), ": 24 KiB"),
        (Hints(buffer=False, layout=False, memory=False), None),
    ],
)
def test_each_kind_can_be_left_out(compiled_kernel: Kernel, kinds: Hints, label: str | None) -> None:
    found = labels.buffer_label(compiled_kernel.buffers[0], hints=kinds)
    assert (found and found.text) == label


def test_a_parallel_loop_says_how_its_iterations_are_spread() -> None:
    detail = {"extents": [128, 128], "threads": 256, "elements_per_thread": 64, "vector_elements": 8}
    assert str(labels.operation_label(Operation("parallel", 1, detail=detail))) == "→ 256 threads × 64, vectors of 8"
    assert labels.operation_label(Operation("parallel", 1, detail=detail), hints=Hints(parallel=False)) is None


def test_dtype_names_are_short() -> None:
    names = ["float16", "bfloat16", "float32", "int8", "uint8", "float8_e4m3fn", "bool", "handle"]
    assert [labels.dtype(name) for name in names] == ["f16", "bf16", "f32", "i8", "u8", "f8e4m3fn", "bool", "handle"]


def test_sizes_use_the_largest_fitting_unit() -> None:
    assert [labels.size(n) for n in (512, 1536, 24624, 3 << 20)] == ["512 B", "1.5 KiB", "24 KiB", "3 MiB"]


def test_what_has_no_room_is_left_out_whole_and_that_is_seen() -> None:
    parts = [Part(("[128,32]", "[2-d]")), Part(("f16",)), Part(("shared", "sh")), Part(("12345 regs", "12345r"))]
    found = {limit: fit(": ", parts, limit).text for limit in (40, 26, 25, 20, 12, 9)}
    assert found == {
        40: ": [128,32] f16 shared 12345 regs",
        26: ": [128,32] f16 sh 12345r",
        25: ": [128,32] f16 sh 12345r",
        20: ": [128,32] f16 sh…",
        12: ": [128,32]…",
        9: ": [2-d]…",
    }
    for limit in range(4, 40):
        assert len(fit(": ", parts, limit, ending=" ~").text) <= limit
