"""A recording of a GEMM as the compiler really lowers it."""

from __future__ import annotations

from pathlib import Path

from tests.recordings import REAL_GEMM

from tilescope_trace.store.read import open_recording
from tilescope_trace.store.select import find_pass


def test_a_gemm_takes_less_than_100_kb(real_gemm: Path) -> None:
    assert real_gemm.stat().st_size <= 100_000


def test_every_pass_and_its_texts_are_there(real_gemm: Path) -> None:
    with open_recording(real_gemm) as recording:
        assert len(recording.passes) > 60
        assert [record.index for record in recording.passes] == list(range(len(recording.passes)))
        assert sum(record.changed for record in recording.passes) > 20
        for record in recording.passes:
            assert recording.text(record.before)
            assert recording.text(record.after)
            assert record.changed or record.before == record.after
        assert "tma_load" in recording.generated()


def test_nested_passes_name_the_pass_they_ran_in(real_gemm: Path) -> None:
    with open_recording(real_gemm) as recording:
        nested = [record for record in recording.passes if record.depth]
        assert nested
        for record in nested:
            assert recording.passes[record.parent].depth == record.depth - 1


def test_the_layouts_appear_in_layout_inference(real_gemm: Path) -> None:
    with open_recording(real_gemm) as recording:
        record = find_pass(recording, "LayoutInference")
        assert "layout_map" not in recording.text(record.before)
        assert "layout_map" in recording.text(record.after)


def test_lines_of_the_ir_lead_back_to_the_kernel(real_gemm: Path) -> None:
    source = REAL_GEMM.split("\n")
    with open_recording(real_gemm) as recording:
        name = recording.passes[0].before
        text = recording.text(name).split("\n")
        found = {
            text[line - 1].strip().partition("(")[0]: source[place.line - 1].strip().partition("(")[0]
            for line, places in recording.line_map(name).origins.items()
            for place in places
        }
    assert found["T.gemm"] == "T.gemm"
    assert found["T.copy"] == "T.copy"
