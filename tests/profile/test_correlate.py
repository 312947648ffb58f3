"""Launches and recordings: what joins them, what does not, and that nothing unsure is passed off as sure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from tests.conftest import MakeRecording
from tests.recordings import INFO

from tilescope_trace.model import Launch
from tilescope_trace.profile.correlate import Join, correlate
from tilescope_trace.profile.extents import fit
from tilescope_trace.profile.model import Launch as Launched
from tilescope_trace.profile.model import Profile
from tilescope_trace.profile.recorded import RecordedKernel, kernel_symbols, recorded_kernel
from tilescope_trace.store.read import open_recording
from tilescope_worker.annotate.names import compile_id
from tilescope_worker.wire.facts import MemoryUse

from .cuda_files import DATA, GEMM, load

GRID, BLOCK = (16, 32, 1), (384, 1, 1)
SOURCE = 'extern "C" __global__ void __launch_bounds__(384, 1) main_kernel(half_t* A) {{\n  {body}\n}}\n'

Make = Callable[..., RecordedKernel]


@pytest.fixture
def recorded(make_recording: MakeRecording) -> Make:
    """``recorded(name, body, created, target, **launch)`` writes a recording and reads its facts."""

    def make(
        name: str = "gemm",
        body: str = "one();",
        created: str = "2026-11-29T10:00:00",
        target: str = "cuda:sm_90a",
        **facts: Any,
    ) -> RecordedKernel:
        launch = Launch(
            **{
                "grid": (16, 32),
                "threads": 256,
                "threads_lowered": 384,
                "shared_dynamic_bytes": 147456,
                "memory": (MemoryUse("shared", 148480),),
                **facts,
            }
        )
        kernel = replace(INFO.kernel, launch=launch, target=target)
        path = make_recording(
            name, generated=SOURCE.format(body=body), info=replace(INFO, kernel=kernel, created=created)
        )
        with open_recording(path) as recording:
            return recorded_kernel(recording)

    return make


def launched(**facts: Any) -> Launched:
    return Launched(**{"name": "main_kernel", "grid": GRID, "block": BLOCK, "dynamic_shared_bytes": 147456, **facts})


def joined(launch: Launched, *recordings: RecordedKernel) -> Join:
    (join,) = correlate(Profile(Path("trace.json"), "test", launches=(launch,)), recordings)
    return join


def test_an_annotation_decides_whatever_the_facts_say(recorded: Make) -> None:
    a, b = recorded("a", "one();"), recorded("b", "two();")
    join = joined(launched(annotation=f"tl:{compile_id(SOURCE.format(body='two();'))}", grid=(1, 1, 1)), a, b)
    assert (join.match, join.recording) == ("exact", b)
    assert a.compile_id != b.compile_id


def test_an_annotation_of_no_recording_joins_nothing_that_is_known_to_be_another_compile(recorded: Make) -> None:
    kernel = recorded()
    launch = launched(annotation="tl:0000000000000000")
    join = joined(launch, kernel)
    assert (join.match, join.recording) == ("none", None)
    assert join.reason.startswith(
        "no recording is of the compile 0000000000000000 that its annotation names; of another"
    )
    unsure = joined(launch, replace(kernel, compile_id=None))
    assert unsure.match == "unique", "a recording without generated source may be of any compile"


def test_of_two_recordings_of_one_compile_the_newest_is_taken(recorded: Make) -> None:
    old, new = (
        replace(recorded("a"), created="2026-11-29T12:00:00Z"),
        replace(recorded("b"), created="2026-11-30T12:00:00Z"),
    )
    join = joined(launched(annotation=f"tl:{old.compile_id}"), old, new)
    assert (join.match, join.recordings) == ("exact", (new,))
    assert join.reason.endswith("a.tscope and b.tscope hold the same compile, this is the newest")
    join = joined(launched(), new, old)
    assert (join.match, join.recordings) == ("unique", (new,))
    assert joined(launched(), replace(old, compile_id=None), replace(new, compile_id=None)).match == "ambiguous"


@pytest.mark.parametrize(
    ("facts", "says"),
    [
        ({"grid": (8, 32)}, "other grid, launched with (16, 32, 1), recorded (8, 32, 1)"),
        ({"threads_lowered": 256}, "other block, launched with 384 threads, recorded 256"),
        ({"shared_dynamic_bytes": 65536}, "other dynamic shared memory, launched with 147456 bytes, recorded 65536"),
        ({"registers": 96}, "other registers, launched with 168, recorded 96"),
    ],
)
def test_each_fact_tells_recordings_apart(recorded: Make, facts: dict[str, Any], says: str) -> None:
    right, wrong = recorded("right"), recorded("wrong", **facts)
    launch = launched(registers=168)
    assert joined(launch, wrong).match == "none"
    assert joined(launch, wrong).reason == f"wrong.tscope: {says}"
    join = joined(launch, wrong, right)
    assert (join.match, join.recording) == ("unique", right)
    assert "of 2 recordings with that name in this one only" in join.reason


def test_static_and_dynamic_shared_memory_together(recorded: Make) -> None:
    """torch.profiler gives the sum only."""
    right, wrong = recorded("right"), recorded("wrong", memory=(MemoryUse("shared", 149504),))
    assert joined(launched(dynamic_shared_bytes=None, shared_bytes=148480), wrong, right).recording == right
    unsure = joined(launched(dynamic_shared_bytes=None, shared_bytes=148480), wrong)
    assert "dynamic shared memory could not be compared (148480 bytes are static and dynamic" in unsure.reason
    assert joined(launched(dynamic_shared_bytes=None, shared_bytes=1024), right).match == "none"


def test_what_a_profile_does_not_tell_is_named(recorded: Make) -> None:
    join = joined(Launched("main_kernel"), recorded())
    assert join.match == "unique"
    assert join.reason == (
        "the name fits; grid, block, dynamic shared memory, registers could not be compared (not in the profile)"
    )


def test_another_name_is_none(recorded: Make) -> None:
    assert joined(launched(name="other_kernel"), recorded()).reason == "no recording has a kernel other_kernel"


def test_sizes_known_at_run_time_are_solved_for(recorded: Make) -> None:
    right = recorded("dynamic", grid=("(n + 128 - 1) // 128", "(m + 256 - 1) // 256"))
    join = joined(launched(), right)
    assert join.match == "unique"
    assert "n from 1921 to 2048, m from 7937 to 8192" in join.reason
    same = recorded("same", grid=("(n + 128 - 1) // 128", "(n + 128 - 1) // 128"))
    assert joined(launched(), same).match == "none", "no n gives both 16 and 32 blocks"
    both = recorded("both", grid=("n * m", 32))
    assert "n * m depends on sizes known at run time" in joined(launched(), both).reason


@given(size=st.integers(1, 2**31 - 1), block=st.integers(1, 4096))
def test_a_size_is_among_those_that_give_its_grid(size: int, block: int) -> None:
    number = -(-size // block)
    found = fit((f"(n + {block} - 1) // {block}",), (number,), {})
    assert found.fits is True
    values = found.ranges["n"]
    assert size in values
    assert all(-(-at // block) == number for at in (values[0], values[-1]))


def test_ascend_counts_blocks_and_has_two_halves(recorded: Make) -> None:
    ascend = recorded("ascend", target="ascend", grid=(20, 1))
    launch = Launched("main_kernel_mix_aic", grid=(20, 1, 1))
    assert (joined(launch, ascend).match, joined(structs.replace(launch, grid=(8, 1, 1)), ascend).match) == (
        "unique",
        "none",
    )
    assert joined(structs.replace(launch, name="main_kernel_mix_aic"), recorded()).match == "none", (
        "no CUDA kernel has them"
    )


def test_two_compiles_that_launch_alike_are_told_apart_by_annotations() -> None:
    """Recorded on an H200: two GEMMs that differ in K only, called in turn under `capture --annotate`."""
    profile = load("h200/two_compiles_torch.json.gz")
    with open_recording(DATA / "h200" / "gemm.tscope") as recording:
        long = recorded_kernel(recording)
    short = replace(long, path=Path("short.tscope"), compile_id="3cf7f6a79ab7e718")
    joins = correlate(profile, (short, long))
    assert [(join.match, join.recording) for join in joins] == [("exact", long), ("exact", short)] * 2
    times = [launch.duration_ns or 0 for launch in profile.launches]
    assert min(times[0::2]) > 1.5 * max(times[1::2]), "4096 and 2048 steps of the same loop"
    bare = replace(profile, launches=tuple(structs.replace(launch, annotation=None) for launch in profile.launches))
    assert {join.match for join in correlate(bare, (short, long))} == {"ambiguous"}


def test_the_order_of_launches_is_a_hint_and_no_answer(recorded: Make) -> None:
    first = recorded("first", "one();", created="2026-11-29T10:00:00")
    second = recorded("second", "two();", created="2026-11-29T10:00:07")
    launches = tuple(launched(start_ns=at) for at in (400, 100, 300, 200))
    joins = correlate(Profile(Path("t"), "test", launches=launches), (second, first))
    assert {join.match for join in joins} == {"ambiguous"}
    assert [join.recordings[0] for join in joins] == [second, first, second, first]
    assert "the order of launches suggests second.tscope" in joins[0].reason
    assert all(join.recording is None for join in joins)


def test_an_odd_number_of_launches_suggests_nothing(recorded: Make) -> None:
    recordings = (recorded("a", "one();", "2026-11-29T10:00:00"), recorded("b", "two();", "2026-11-29T10:00:07"))
    launches = tuple(launched(start_ns=at) for at in (1, 2, 3))
    for join in correlate(Profile(Path("t"), "test", launches=launches), recordings):
        assert join.match == "ambiguous"
        assert "suggests" not in join.reason


def test_a_launch_on_the_device_joins_the_recording_of_its_kernel(recorded: Make) -> None:
    """What torch.profiler, CUPTI and Nsight Compute saw of one kernel fits one recording, if it has its name."""
    kernel = replace(recorded(), symbols=(GEMM,))
    for name in ("torch_profiler_h200_gemm_relu.json", "cupti_python_kernel_activity.json", "ncu_raw.csv.gz"):
        profile = load(name)
        joins = correlate(profile, (kernel,))
        for launch, join in zip(profile.launches, joins, strict=True):
            assert join.match == ("unique" if launch.name == GEMM else "none")
            if launch.name == GEMM:
                assert join.reason.startswith("name, grid, block and ")
                assert "shared memory fit" in join.reason


def test_symbols_of_generated_sources() -> None:
    cuda = SOURCE.format(body="x();") + 'extern "C" __global__ void other_kernel(int n) {\n}\n'
    assert kernel_symbols('extern "C" __global__ void main_kernel(half_t* A);\n' + cuda) == (
        "main_kernel",
        "other_kernel",
    )
    assert kernel_symbols('extern "C" __global__ __aicore__ void add_kernel(GM_ADDR a) {}') == ("add_kernel",)


def test_the_compiler_s_own_recording(real_gemm: Path) -> None:
    with open_recording(real_gemm) as recording:
        kernel = recorded_kernel(recording)
    assert (kernel.symbols, kernel.warp_specialized) == (("main_kernel",), True)
    assert joined(Launched("main_kernel", annotation=f"tl:{kernel.compile_id}"), kernel).match == "exact"
