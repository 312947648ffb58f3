"""Simulated instructions on Python lines of a GEMM that the compiler lowered for Ascend: outermost frames count."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilescope_trace.profile.attribute import ELSEWHERE, attribute
from tilescope_trace.profile.correlate import correlate
from tilescope_trace.profile.load import load_profiles
from tilescope_trace.profile.model import Profile
from tilescope_trace.profile.recorded import recorded_kernel
from tilescope_trace.store.read import Recording, open_recording

from .ascend_files import Event, base, block, flag, instruction, simulated, write_json

RECORDING = Path(__file__).parents[1] / "data" / "profiles" / "ascend" / "gemm.tscope"
HEADER = "/usr/local/Ascend/include/tl_templates/ascend/gemm.h:77\n"
FILE = "/var/build/kernel.cpp"


@pytest.fixture(scope="module")
def gemm() -> Recording:
    return open_recording(RECORDING)


def line_of(text: str, start: str) -> int:
    return next(number for number, line in enumerate(text.split("\n"), 1) if line.strip().startswith(start))


def run(recording: Recording) -> list[Event]:
    """Loads of B and A, the wait for them, the multiplication and the store, on the lines that generated code has."""
    generated = recording.generated() or ""

    def code(start: str) -> str:
        return f"{HEADER}{FILE}:{line_of(generated, start)}"

    wait = flag("WAIT_FLAG", "MTE1", 3.0, 6.0, 0x1024)
    wait[0]["args"]["code"] = code("asc_sync_wait(PIPE_MTE2, PIPE_MTE1")
    return [
        instruction(
            "MTE2", "ND2NZ", 3.0, 1.0, 0x1010, code("asc_copy_gm2l1_nd2nz(((__cbuf__ half*)buf_dyn_l1 + 8192)")
        ),
        instruction("MTE2", "ND2NZ", 4.0, 2.0, 0x1014, code("asc_copy_gm2l1_nd2nz(((__cbuf__ half*)buf_dyn_l1),")),
        *wait,
        instruction("CUBE", "MMAD", 6.0, 3.0, 0x1018, code("ascend_gemm_l1<")),
        instruction("FIXP", "FIX", 10.0, 0.9, 0x101C, code("asc_copy_l0c2gm(")),
        instruction("SCALAR", "MOV", 11.0, 0.1, 0x1020, "/usr/local/Ascend/include/startup.h:5"),
    ]


@pytest.fixture
def profile(tmp_path: Path, gemm: Recording) -> Profile:
    output = tmp_path / "OPPROF_1_X" / "main_kernel_mix_aic" / "0" / "simulator"
    write_json(output / "trace.json", simulated(run(gemm)))
    (loaded,) = load_profiles(tmp_path)
    return loaded


def test_time_lies_on_the_python_lines_that_cause_it(profile: Profile, gemm: Recording) -> None:
    found = attribute(profile.samples[0], gemm)
    source = gemm.sources()[0].text.split("\n")
    shares = {source[origin.line - 1].strip(): found.share(weight) for origin, weight in found.python.items()}
    assert shares == pytest.approx({
        "T.copy(B[bx * bN, k * bK], B_l1)": 0.1, "T.copy(A[by * bM, k * bK], A_l1)": 0.2,
        "T.gemm(A_l1, B_l1, C_l0, transpose_B=True, clear_accum=(k == 0))": 0.6,
        "T.copy(C_l0, C[by * bM, bx * bN])": 0.09,
    }, abs=1e-9)  # fmt: skip


def test_the_wait_for_the_loads_is_the_top_stall_of_the_gemm(profile: Profile, gemm: Recording) -> None:
    found = attribute(profile.samples[0], gemm)
    gemm_line = max(found.python.values(), key=lambda weight: weight.samples)
    assert gemm_line.stalls == {"wait_for_MTE2": 3_000}


def test_what_lies_in_other_files_is_unplaced(profile: Profile, gemm: Recording) -> None:
    found = attribute(profile.samples[0], gemm)
    assert found.unplaced == {ELSEWHERE: 100}
    assert found.total == 10_000


def test_launches_join_by_name_without_the_half_of_a_mixed_kernel(profile: Profile, gemm: Recording) -> None:
    (join,) = correlate(profile, [recorded_kernel(gemm)])
    assert join.match == "unique"


@pytest.mark.parametrize(("times", "match"), [(1, "unique"), (2, "ambiguous")])
def test_a_kernel_without_a_name_is_of_the_only_recording_that_can_be_meant(
    tmp_path: Path, gemm: Recording, times: int, match: str
) -> None:
    (profile,) = load_profiles(write_json(tmp_path / "trace.json", simulated(run(gemm))))
    (join,) = correlate(profile, [recorded_kernel(gemm)] * times)
    assert join.match == match
    assert join.reason.startswith("the profile does not name its kernel")


def test_a_kernel_without_a_name_is_of_no_cuda_recording(tmp_path: Path, gemm: Recording) -> None:
    (profile,) = load_profiles(write_json(tmp_path / "trace.json", simulated(run(gemm))))
    with open_recording(RECORDING.parents[1] / "h200" / "gemm.tscope") as other:
        (join,) = correlate(profile, [recorded_kernel(other)])
    assert join.match == "none"


@pytest.mark.parametrize(("blocks", "match"), [("64", "unique"), ("32", "none")])
def test_launches_join_by_their_number_of_blocks(tmp_path: Path, gemm: Recording, blocks: str, match: str) -> None:
    path = tmp_path / "visualize_data.bin"
    path.write_bytes(block(5, base(block_dim=blocks)))
    (profile,) = load_profiles(path)
    (join,) = correlate(profile, [recorded_kernel(gemm)])
    assert join.match == match
