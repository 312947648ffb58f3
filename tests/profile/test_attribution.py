"""Samples of an H200 on Python, IR and generated lines: the figures measured for that kernel, and honest refusals."""

from __future__ import annotations

import functools
import gzip
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilescope_trace.profile.attribute import (
    DIRECTIVES,
    EVERY_FRAME,
    INNERMOST,
    NO_CODE,
    OTHER_CODE,
    OTHER_SOURCE,
    attribute,
)
from tilescope_trace.profile.inline_chains import Chains, inline_chains
from tilescope_trace.profile.load import load_profiles
from tilescope_trace.profile.machine_code import find_tool, machine_code
from tilescope_trace.profile.model import InstructionSamples, LineSamples, Place, Samples
from tilescope_trace.store.read import Recording, open_recording

DATA = Path(__file__).parents[1] / "data" / "profiles"
H200 = DATA / "h200"

MEASURED = {
    "T.gemm(A_shared, B_shared, C_local)": (46, "barrier"),
    "for ko in T.Pipelined(": (21, "long_scoreboard"),
    "T.copy(B[": (16, "long_scoreboard"),
    "T.copy(C_local, C[": (12, "lg_throttle"),
    "with T.Kernel(": (2.9, "drain"),
    "C_local[i, j] = T.max(": (0.6, "wait"),
    "T.copy(A[": (0.6, "wait"),
}
"""Percent of samples and top stall of each line, from the corrected table of the same recording of samples."""


def samples_of(path: Path) -> Samples:
    (profile,) = load_profiles(path)
    (samples,) = profile.samples
    return samples


@functools.cache
def chains_of(name: str) -> Chains:
    with gzip.open(DATA / name, "rt") as text:
        (chains,) = inline_chains(text).values()
    return chains


@pytest.fixture(scope="module")
def gemm() -> Recording:
    return open_recording(H200 / "gemm.tscope")


@pytest.fixture(scope="module")
def sampled() -> Samples:
    return samples_of(DATA / "ncu_source_sass_fixed_line.csv.gz")


def text_of(recording: Recording, line: int) -> str:
    return recording.sources()[0].text.split("\n")[line - 1].strip()


def test_lines_have_the_measured_shares(gemm, sampled):
    found = attribute(sampled, gemm, chains_of("nvdisasm_gi_no_line.txt.gz"))
    shares = {text_of(gemm, origin.line): (weight, found.share(weight)) for origin, weight in found.python.items()}
    for start, (percent, stall) in MEASURED.items():
        (weight, share) = next(value for text, value in shares.items() if text.startswith(start))
        assert abs(100 * share - percent) <= 2, start
        assert weight.top_stall == stall
    length = len(gemm.sources()[0].text.split("\n"))
    assert all(origin.line <= length for origin in found.python)
    assert {origin.file for origin in found.python} == {gemm.sources()[0].path}


def test_each_sample_counts_once(gemm, sampled):
    found = attribute(sampled, gemm, chains_of("nvdisasm_gi_no_line.txt.gz"))
    assert found.total == sampled.total == sum(one.samples for one in sampled.instructions)
    assert sum(weight.samples for weight in found.python.values()) == found.total
    assert sum(weight.samples for weight in found.generated.values()) == found.total
    assert found.unplaced_share == 0
    assert 0 < found.shared < found.total / 2


def test_generated_lines_keep_what_a_python_line_sums_up(gemm, sampled):
    found = attribute(sampled, gemm, chains_of("nvdisasm_gi_no_line.txt.gz"))
    source = (gemm.generated() or "").split("\n")
    hottest = max(found.generated, key=lambda line: found.generated[line].samples)
    assert "warpgroup_wait" in source[hottest - 1]
    for origin, weight in found.python.items():
        lines = found.lines[origin]
        assert sum(found.generated[line].samples for line in lines) == weight.samples


@pytest.mark.parametrize("kernel", ["gemm", "attention"])
def test_code_out_of_a_library_joins_with_fresh_samples(kernel):
    if find_tool("nvdisasm") is None:
        pytest.skip("needs nvdisasm")
    chains = machine_code(H200 / f"{kernel}.cubin")
    samples = samples_of(H200 / f"{kernel}_ncu_source_sass.csv.gz")
    with open_recording(H200 / f"{kernel}.tscope") as recording:
        found = attribute(samples, recording, chains[samples.kernel])
        best = max(found.python, key=lambda origin: found.python[origin].samples)
        assert text_of(recording, best.line).startswith(
            {"gemm": "T.gemm(", "attention": "for k in T.Pipelined("}[kernel]
        )
    assert found.unplaced_share < 0.001


def test_code_with_line_directives_is_refused(gemm, sampled):
    found = attribute(sampled, gemm, chains_of("nvdisasm_gi_stock_line.txt.gz"))
    assert not found.python
    assert found.unplaced == {DIRECTIVES: found.total}


def test_code_of_another_kernel_is_refused(sampled):
    with open_recording(H200 / "attention.tscope") as attention:
        found = attribute(sampled, attention, chains_of("nvdisasm_gi_no_line.txt.gz"))
    assert found.unplaced == {OTHER_SOURCE: found.total}


def test_code_with_other_instructions_is_refused(gemm, sampled):
    chains = chains_of("nvdisasm_gi_no_line.txt.gz")
    changed = {**chains, 64: chains[128]}
    assert attribute(sampled, gemm, changed).unplaced == {OTHER_CODE: sampled.total}


def test_without_code_the_reason_is_given(gemm, sampled):
    found = attribute(sampled, gemm)
    assert found.unplaced == {NO_CODE: sampled.total}
    assert found.unplaced_share == 1


@given(st.dictionaries(st.integers(0, 663), st.integers(0, 1000)))
@settings(deadline=None, max_examples=40)
def test_no_sample_is_lost_or_counted_twice(counts):
    chains = chains_of("nvdisasm_gi_no_line.txt.gz")
    addresses = sorted(chains)
    instructions = tuple(
        InstructionSamples(address, chains[address].text, counts.get(number, 0))
        for number, address in enumerate(addresses)
    )
    total = sum(counts.values())
    with open_recording(H200 / "gemm.tscope") as recording:
        found = attribute(Samples("gemm_relu_kernel", 0, total, instructions=instructions), recording, chains)
    placed = sum(weight.samples for weight in found.python.values())
    assert placed + sum(found.unplaced.values()) == total


def test_a_function_that_the_generated_source_calls_keeps_its_lines(gemm):
    source = (gemm.generated() or "").split("\n")
    inner = next(number for number, line in enumerate(source, 1) if "tl::wgmma_ss" in line)
    outer = next(number for number, line in enumerate(source, 1) if "warpgroup_reg_alloc" in line)
    frames = (Place("wgmma.h", 5), Place("kernel.cu", inner), Place("kernel.cu", outer))
    samples = Samples("k", 0, 3, instructions=(InstructionSamples(0, "NOP", 3, frames=frames),))
    assert list(attribute(samples, gemm).generated) == [inner]


def test_lines_that_repeat_an_instruction_are_not_summed(gemm):
    lines = (LineSamples(Place("kernel.cu", 79), 5), LineSamples(Place("wgmma.h", 5), 5))
    samples = Samples("k", 0, 5, lines=lines, line_rule="every frame")
    assert attribute(samples, gemm).unplaced == {EVERY_FRAME: 5}
    innermost = Samples("k", 0, 5, lines=lines[1:], line_rule="innermost")
    assert attribute(innermost, gemm).unplaced == {INNERMOST: 5}
