"""What bounds a kernel on Ascend, by the pipes of its cores."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilescope_trace.profile.correlate import correlate
from tilescope_trace.profile.load import load_profiles
from tilescope_trace.profile.recorded import recorded_kernel
from tilescope_trace.profile.verdict.gather import Joined, verdicts
from tilescope_trace.profile.verdict.verdict import Verdict
from tilescope_trace.store.read import open_recording

from .ascend_files import BASE_NS, DETAILS, micros, write_table

RECORDING = Path(__file__).parents[1] / "data" / "profiles" / "ascend" / "gemm.tscope"
PIPES = ("block_id", "sub_block_id", "aic_cube_ratio", "aic_mte1_ratio", "aic_mte2_ratio", "aic_fixpipe_ratio")


def judged(path: Path) -> Verdict:
    (profile,) = load_profiles(path)
    with open_recording(RECORDING) as recording:
        joins = correlate(profile, [recorded_kernel(recording)])
        (found,) = verdicts([Joined(profile, joins, ())], {recording.path: recording}).values()
        return found


def board(folder: Path, *ratios: float) -> Path:
    write_table(
        folder / "OpBasicInfo.csv", ("Op Name", "Task Duration(us)", "Block Dim"), ("main_kernel_mix_aic", 9, 64)
    )
    rows = [(number, "cube0", *(ratio + 0.01 * number for ratio in ratios)) for number in (-1, 1)]
    write_table(folder / "PipeUtilization.csv", PIPES, *rows)
    return folder


@pytest.mark.parametrize(
    ("ratios", "bound", "pipe"),
    [
        ((0.9, 0.2, 0.3, 0.1), "compute", "the cube is busy in 90% of its cores' cycles"),
        ((0.3, 0.2, 0.93, 0.1), "memory", "MTE2 is busy in 93% of its cores' cycles"),
        ((0.5, 0.2, 0.4, 0.1), "latency", "they wait for each other"),
    ],
)
def test_the_busiest_pipe_decides(tmp_path: Path, ratios: tuple[float, ...], bound: str, pipe: str) -> None:
    verdict = judged(board(tmp_path, *ratios))
    assert verdict.bound == bound
    assert any(pipe in text for text in verdict.evidence)


def test_a_table_of_kernels_tells_the_same_of_the_launch(tmp_path: Path) -> None:
    header = (*DETAILS, "aic_mte2_ratio")
    row = [1, 1, 2, "main_kernel", "main", "AI_CORE", micros(BASE_NS), 9, 64, 0, "", 0.2, "N/A", 0, 0.85]
    verdict = judged(write_table(tmp_path / "kernel_details.csv", header, row))
    assert verdict.bound == "memory"


def test_what_is_missing_is_told_with_ascends_tools(tmp_path: Path) -> None:
    path = write_table(
        tmp_path / "OpBasicInfo.csv", ("Op Name", "Task Duration(us)", "Block Dim"), ("main_kernel", 9, 64)
    )
    missing = judged(path).missing
    assert any("msprof op --aic-metrics=PipeUtilization" in text for text in missing)
    assert any("msprof op simulator" in text for text in missing)
    assert not any("ncu" in text for text in missing)
