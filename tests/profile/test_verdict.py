"""Verdicts on launches of an H200, and two profiles of a kernel compared."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from tilescope_trace.model import Origin
from tilescope_trace.profile.attribute import Attribution, Weight, attribute
from tilescope_trace.profile.load import load_profiles
from tilescope_trace.profile.machine_code import cubins, find_tool, machine_code
from tilescope_trace.profile.model import Launch, Metric
from tilescope_trace.profile.stamps.document import read
from tilescope_trace.profile.verdict.peaks import peak_of
from tilescope_trace.profile.verdict.remarks import remarks
from tilescope_trace.profile.verdict.verdict import Measured, judge
from tilescope_trace.profile.verdict.work import work_of
from tilescope_trace.profile.versus.gather import Given, versus
from tilescope_trace.profile.versus.lanes import lane_differences
from tilescope_trace.profile.versus.lines import Side, line_differences
from tilescope_trace.profile.versus.sites import site_differences
from tilescope_trace.store.read import Recording, open_recording
from tilescope_worker.wire import facts

DATA = Path(__file__).parents[1] / "data" / "profiles"
H200 = DATA / "h200"
DEVICE = "NVIDIA H200"


@pytest.fixture(scope="module")
def gemm() -> Recording:
    return open_recording(H200 / "gemm.tscope")


@pytest.fixture(scope="module")
def attention() -> Recording:
    return open_recording(H200 / "attention.tscope")


def launch_of(kernel: str) -> Launch:
    (profile,) = load_profiles(H200 / f"{kernel}_ncu_details.csv")
    return profile.launches[0]


def stamps_of(kernel: str):
    profile = read(H200 / f"{kernel}_stamps.json.gz")
    assert profile is not None
    return profile.kernels[0]


def test_arithmetic_is_that_of_the_problem(gemm, attention):
    work = work_of(gemm)
    assert work is not None
    assert (work.flop, work.dtype) == (2 * 4096**3, "float16")
    work = work_of(attention)
    assert work is not None
    assert work.flop == 2 * 2 * 4 * 16 * 4096 * 4096 * 128  # two products for each batch and head


def test_rates_stand_beside_sourced_peaks(gemm):
    verdict = judge(Measured(launch_of("gemm"), device=DEVICE), gemm)
    arithmetic, memory = verdict.achieved
    assert arithmetic.value == pytest.approx(2 * 4096**3 / 209_090 / 1e3, rel=1e-3)
    assert (arithmetic.peak, arithmetic.document) == (989, "NVIDIA H200 datasheet")
    assert arithmetic.share == pytest.approx(0.66, abs=0.01)
    assert (memory.value, memory.peak) == (953.8, 4800)


def test_a_device_without_a_document_has_no_peak(gemm):
    verdict = judge(Measured(launch_of("gemm"), device="NVIDIA H20"), gemm)
    assert [rate.peak for rate in verdict.achieved] == [None, None]
    assert "peak rates of NVIDIA H20" in verdict.missing
    assert peak_of("cuda:sm_90a", None) is None


def test_counters_and_stamps_agree_on_the_gemm(gemm):
    verdict = judge(Measured(launch_of("gemm"), stamps=stamps_of("gemm"), device=DEVICE), gemm)
    assert verdict.bound == "compute"
    assert any("loads are in time" in text for text in verdict.evidence)


def test_attention_is_bound_by_latency(attention):
    verdict = judge(Measured(launch_of("attention"), stamps=stamps_of("attention")), attention)
    assert verdict.bound == "latency"


def test_stamps_alone_leave_two_bounds(gemm):
    verdict = judge(Measured(Launch("gemm_relu_kernel"), stamps=stamps_of("gemm")), gemm)
    assert verdict.bound == "unknown"
    assert verdict.possible == ("compute", "latency")
    assert any(missing.startswith("counters") for missing in verdict.missing)


def test_without_samples_stamps_tell_the_hot_lines(gemm):
    verdict = judge(Measured(Launch("gemm_relu_kernel"), stamps=stamps_of("gemm")), gemm)
    first = verdict.remarks[0]
    assert first.line == 24
    assert first.text == "gemm became wgmma: consumer warps spend 49% of their time here waiting for wgmma"


def test_contradictions_are_said(gemm):
    metrics = {"Compute (SM) Throughput": Metric(20.0, "%"), "Memory Throughput": Metric(95.0, "%")}
    launch = msgspec.structs.replace(launch_of("gemm"), metrics=metrics)
    verdict = judge(Measured(launch, stamps=stamps_of("gemm")), gemm)
    assert (verdict.bound, verdict.possible) == ("unknown", ())
    assert "the measurements contradict each other" in verdict.evidence


def test_where_counters_are_balanced_stamps_decide(gemm):
    metrics = {"Compute (SM) Throughput": Metric(60.2, "%"), "Memory Throughput": Metric(67.9, "%")}
    launch = msgspec.structs.replace(launch_of("gemm"), metrics=metrics)
    alone = judge(Measured(launch), gemm)
    assert (alone.bound, alone.possible) == ("unknown", ("compute", "memory"))
    assert alone.evidence[0] == "SM throughput is 60% of peak, memory throughput 68%: balanced"
    assert judge(Measured(launch, stamps=stamps_of("gemm")), gemm).bound == "compute"


def test_nothing_measured_is_nothing_claimed():
    verdict = judge(Measured(Launch("k")), None)
    assert verdict.bound == "unknown"
    assert not verdict.evidence
    assert len(verdict.missing) == 4


def test_remarks_name_what_hot_lines_became(gemm):
    origin = Origin(gemm.sources()[0].path, 27)
    weight = Weight(40, {"lg_throttle": 30})
    found = Attribution("gemm_relu_kernel", 100, "samples", {}, {origin: weight}, {origin: (107,)}, 0, {})
    verdict = judge(Measured(Launch("gemm_relu_kernel"), attribution=found, multiprocessors=132), gemm)
    texts = {remark.line: remark.text for remark in verdict.remarks}
    assert texts[27] == "copy became vector_st of 4 bytes a thread: 40% of samples, mostly lg_throttle"


def test_a_partial_wave_is_a_remark(gemm):
    verdict = judge(Measured(Launch("gemm_relu_kernel"), multiprocessors=160), gemm)
    assert "3.20 waves: the last one leaves 80% of the SMs idle" in [remark.text for remark in verdict.remarks]


@pytest.mark.parametrize(
    ("blocks", "per_sm", "registers", "said"),
    [
        (100, 2, 64, "100 blocks leave 24% of the SMs without any"),
        (200, 2, 64, "200 blocks take 76% of the 264 places that the SMs have for them"),
        (364, 2, 64, "1.38 waves: the last one leaves 24% of the SMs idle"),
        (464, 2, 64, "1.76 waves: the last one takes 76% of the places for blocks"),
        (528, 2, 64, None),
        (364, 2, None, None),
        (364, 1, None, "2.76 waves: the last one leaves 24% of the SMs idle"),
    ],
)
def test_waves_of_several_blocks_an_sm(gemm, blocks, per_sm, registers, said):
    launch = facts.Launch((blocks,), 128, registers=registers, occupancy=0.25, blocks_per_sm=per_sm)
    found = remarks(replace(gemm.info.kernel, launch=launch), None, None, 132)
    assert [one.text for one in found if one.line is None] == ([said] if said else [])


def shares_of(recording: Recording) -> Attribution:
    path = recording.sources()[0].path
    python = {Origin(path, 24): Weight(60), Origin(path, 27): Weight(40)}
    return Attribution("gemm_relu_kernel", 100, "samples", {}, python, {}, 0, {})


def test_lines_are_compared_with_themselves(gemm):
    before = shares_of(gemm)
    after = replace(before, python={**before.python, Origin(gemm.sources()[0].path, 27): Weight(10)}, total=70)
    found = line_differences(Side(before, gemm, 1000), Side(after, gemm, 700))
    assert [(one.b.line, round(one.ns_a), round(one.ns_b)) for one in found if one.b] == [
        (27, 400, 100),
        (24, 600, 600),
    ]
    assert found[0].text.startswith("T.copy(C_local, C[")


def test_a_line_that_one_side_lacks_stands_alone(gemm, attention):
    path = attention.sources()[0].path
    other = Attribution("k", 10, "samples", {}, {Origin(path, 70): Weight(10)}, {}, 0, {})
    found = line_differences(Side(shares_of(gemm), gemm), Side(other, attention))
    assert {one.b.line for one in found if one.b is not None and one.share_b} == {70}
    assert all(one.share_a == 0 for one in found if one.b is not None and one.b.line == 70)


def test_stamps_of_one_run_are_the_same(gemm):
    kernel = stamps_of("gemm")
    assert all(
        one.share_a == one.share_b and one.cycles_a == one.cycles_b for one in site_differences(kernel, kernel)
    )
    labels = [(one.side, one.kind, one.line, one.waits_for) for one in site_differences(kernel, kernel)]
    assert len(labels) == len(set(labels))
    assert {("producer", "a free stage"), ("consumer", "data"), ("consumer", "wgmma")} <= {
        (side, awaited) for side, _, _, awaited in labels
    }
    for side in ("producer", "consumer"):
        assert sum(one.share_a for one in site_differences(kernel, kernel) if one.side == side) == pytest.approx(1)
    empty = replace(kernel, warps=())
    assert all(one.share_b is None for one in site_differences(kernel, empty))


def test_lanes_are_matched_wherever_a_block_ran():
    (profile,) = load_profiles(H200 / "gemm_stamps.json.gz")
    lanes = tuple(replace(lane, title="SM 0") if lane.kind == "sm" else lane for lane in profile.lanes)
    found = lane_differences(profile, replace(profile, lanes=lanes))
    assert len(found) == 96
    assert all(one.busy_ns_a == one.busy_ns_b and one.slices_a == one.slices_b for one in found)


@pytest.mark.skipif(find_tool("nvdisasm") is None, reason="needs nvdisasm")
def test_two_runs_of_the_gemm(gemm):
    older = Given(gemm, [DATA / "ncu_source_sass_fixed_line.csv.gz"], [DATA / "nvdisasm_gi_no_line.txt.gz"])
    newer = Given(gemm, [H200 / "gemm_ncu_source_sass.csv.gz", H200 / "gemm_stamps.json.gz"], [H200 / "gemm.cubin"])
    found = versus(older, newer)
    assert all(abs(one.change) < 0.02 for one in found.lines)
    assert any("A: no stamps" in missing for missing in found.missing)
    assert not any("no Python line" in missing for missing in found.missing)


def test_a_cubin_is_found_inside_of_a_library():
    cubin = (H200 / "gemm.cubin").read_bytes()
    assert list(cubins(b"\x7fELF\x02\x01\x01" + bytes(57) + cubin + b"tail")) == [cubin]
    assert list(cubins(cubin[:-1])) == []


def test_attribution_of_a_library_is_that_of_its_text(gemm):
    if find_tool("nvdisasm") is None:
        pytest.skip("needs nvdisasm")
    (samples,) = load_profiles(DATA / "ncu_source_sass_fixed_line.csv.gz")[0].samples
    one, other = (
        attribute(samples, gemm, next(iter(machine_code(path).values())))
        for path in (H200 / "gemm.cubin", DATA / "nvdisasm_gi_no_line.txt.gz")
    )
    assert one.python == other.python
