"""Histories of a GEMM as the compiler really lowers it for Hopper."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.recordings import REAL_GEMM

from tilescope_trace.history import of_buffer, of_line
from tilescope_trace.provenance import of_pass
from tilescope_trace.store.read import Recording, open_recording
from tilescope_trace.store.select import find_pass


@pytest.fixture(scope="module")
def recording(real_gemm: Path) -> Iterator[Recording]:
    with open_recording(real_gemm) as opened:
        yield opened


def line(piece: str) -> int:
    return next(at for at, text in enumerate(REAL_GEMM.split("\n"), start=1) if piece in text)


def changes(history) -> dict[str, str]:
    return {step.record.name: step.change for step in history.steps}


def test_shared_memory_from_allocation_to_the_one_dynamic_buffer(recording: Recording) -> None:
    history = of_buffer(recording, "B_shared")
    told = changes(history)
    assert history.subject.line == line("B_shared = ")
    assert "multi-versioned: [32, 128] to [3, 32, 128], 3 stages" in told["tl.ProducerConsumerWarpSpecialized"]
    assert "copy → tma_copy" in told["tl.ProducerConsumerWarpSpecialized"]
    assert "layout inferred" in told["tl.LayoutInference"]
    assert "tma_load" in told["tl.LowerTileOp"]
    assert "flattened" in told["tl.FlattenBuffer"]
    assert told["tl.MergeSharedMemoryAllocations"] == "merged into buf_dyn_shmem at byte 24576"
    assert any("tma_load" in entry.text for entry in history.generated)


def test_an_accumulator_becomes_registers(recording: Recording) -> None:
    told = changes(of_buffer(recording, "C_local"))
    assert "[128, 128] of the block to [128] a thread" in told["tl.LowerTileOp"]
    assert "re-scoped from local.fragment to local" in told["tl.LowerTileOp"]


def test_parameters_end_on_the_host_or_go_to_the_device(recording: Recording) -> None:
    assert of_buffer(recording, "A").steps[-1].change.startswith("stays on the host")
    assert "tl.SplitHostDevice" in changes(of_buffer(recording, "C"))


def test_a_gemm_line_becomes_wgmma(recording: Recording) -> None:
    history = of_line(recording, line("T.gemm("))
    assert changes(history)["pass_fn"] == "created: gemm"
    assert "ptx_wgmma_ss" in changes(history)["tl.LowerTileOp"]


def test_every_step_tells_of_lines_that_are_there(recording: Recording) -> None:
    for history in (of_buffer(recording, "A_shared"), of_line(recording, line("T.copy(A["))):
        for step in history.steps:
            for side in filter(None, (step.before, step.after)):
                assert max(side.lines, default=0) <= recording.text(side.text).count("\n") + 1


def test_allocations_and_statements_lead_to_python_and_back(recording: Recording) -> None:
    record = find_pass(recording, "LayoutInference")
    text = recording.text(record.after).split("\n")
    places = of_pass(recording, record)
    by_line = {place.line: lines for place, lines in places.lines.items()}
    assert ["A_shared = T.sblock_alloc_buffer" in text[at - 1] for at in by_line[line("A_shared = ")]] == [True]
    assert all("gemm(" in text[at - 1] or "barrier" in text[at - 1] for at in by_line[line("T.gemm(")])
    unplaced, total = places.counts
    assert unplaced < total / 2


def test_buffers_know_the_lines_that_name_them(recording: Recording) -> None:
    text = recording.passes[0].before
    lines = recording.text(text).split("\n")
    for state in recording.buffers(text):
        assert f"{state.name} = T." in lines[state.declared[0] - 1]
        assert state.used == tuple(
            at for at, line in enumerate(lines, start=1) if f"{state.name}[" in line and at not in state.declared
        )
