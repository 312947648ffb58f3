"""Clock stamps: where they go, that nothing else of the source changes, and what is read out of the buffer."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tilescope_worker
from tilescope_trace.captured.run import STAMPS, environment
from tilescope_trace.profile.stamps.collect import _kernel, timed
from tilescope_trace.profile.stamps.document import StampProfile, read
from tilescope_trace.profile.stamps.plan import Plan, is_chosen, make_plan
from tilescope_trace.profile.stamps.rewrite import HEADER, PLACEHOLDER, WARPS, region_bytes
from tilescope_trace.profile.stamps.shares import intervals, shares
from tilescope_trace.profile.stamps.statements import UnknownFormError, functions
from tilescope_trace.profile.stamps.words import cost
from tilescope_trace.store.read import Recording, open_recording

H200 = Path(__file__).parents[1] / "data" / "profiles" / "h200"
ADDED = re.compile(r"if \(tilescope_on\) tilescope_stamp\(tilescope_s, \d+u\); ?")


@pytest.fixture(scope="module", params=["gemm", "attention"])
def recording(request) -> Recording:
    return open_recording(H200 / f"{request.param}.tscope")


def plan_of(recording: Recording, blocks: int = 8, capacity: int = 64) -> Plan:
    plan = make_plan([recording], (), blocks, capacity)
    assert not plan.refused
    return plan


def test_the_body_keeps_its_lines_and_gains_stamps_only(recording):
    (planned,) = plan_of(recording).planned
    before, after = (recording.generated() or "").split("\n"), planned.text.split("\n")
    (kernel,) = planned.kernels
    assert len(after) == len(before)
    assert after[: kernel.opened - 1] == before[: kernel.opened - 1]
    for number in range(kernel.opened + 1, kernel.closed):
        assert ADDED.sub("", after[number - 1]).strip() == before[number - 1].strip()
    assert len(ADDED.findall(planned.text)) == len(planned.sites)


def test_the_kernel_keeps_name_and_parameters(recording):
    (planned,) = plan_of(recording).planned
    (kernel,) = planned.kernels
    declaration = next(line for line in planned.text.split("\n") if line.startswith('extern "C" __global__'))
    assert declaration in (recording.generated() or "")
    assert f"{kernel.head}{kernel.symbol}({kernel.parameters}) {{" in planned.text


def test_a_site_for_each_operation_and_wait(recording):
    (planned,) = plan_of(recording).planned
    lines = {operation.line for operation in recording.info.kernel.operations if operation.kind in ("gemm", "copy")}
    stamped = {origin.line for site in planned.sites for origin in site.origins}
    assert lines <= stamped
    source = (recording.generated() or "").split("\n")
    waits = [number for number, line in enumerate(source, 1) if ".wait(" in line or "warpgroup_wait<" in line]
    for number in waits:
        assert any(site.kind == "wait" and site.line <= number <= site.last for site in planned.sites)
    roles = {site.role for site in planned.sites}
    assert {"producer", "consumer", "barrier", "epilogue"} <= roles


def test_stamps_stand_outside_of_elected_and_unrolled_code(recording):
    (planned,) = plan_of(recording).planned
    depth, closed = 0, None
    for line in planned.text.split("\n"):
        if closed is not None:
            assert not ADDED.search(line.partition("}")[0])
        if closed is None and ("tl_shuffle_elect" in line or "#pragma unroll" in line):
            closed = depth
        depth += line.count("{") - line.count("}")
        if closed is not None and depth <= closed and "}" in line:
            closed = None


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")
def test_the_stamped_source_compiles_without_spills(tmp_path):
    tilelang = pytest.importorskip("tilelang")
    with open_recording(H200 / "gemm.tscope") as recording:
        if tilelang.__version__ != recording.info.tilelang:
            pytest.skip(f"the source is that of TileLang {recording.info.tilelang}")
        (planned,) = plan_of(recording).planned
    (tmp_path / "kernel.cu").write_text(planned.text.replace(PLACEHOLDER, "0x7f0000000000ull"))
    package = Path(tilelang.__file__).parent
    includes = [f"-I{package / 'src'}", f"-I{package / '3rdparty' / 'cutlass' / 'include'}"]
    command = ["nvcc", "-cubin", "-arch=sm_90a", "-std=c++20", "-Xptxas", "-v", *includes]
    done = subprocess.run([*command, "-o", "kernel.cubin", "kernel.cu"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "0 bytes spill stores, 0 bytes spill loads" in done.stderr
    assert "wgmma.mma_async instructions are serialized" not in done.stderr


@pytest.mark.parametrize("text", ["{", "a\n{\n", 'extern "C" __global__ void k(int n) {\n  f(\n', "}"])
def test_source_of_another_form_is_refused_or_has_no_kernel(text):
    with contextlib.suppress(UnknownFormError):
        assert functions(text) == ()


def test_an_open_block_is_named_by_its_line():
    with pytest.raises(UnknownFormError, match="line 2: the block that begins here is not closed"):
        functions('extern "C" __global__ void k(int n) {\n  f();\n')


@given(st.text(alphabet='{}();#\n ab"', max_size=60))
@settings(deadline=None)
def test_no_text_breaks_the_reader(text):
    with contextlib.suppress(UnknownFormError):
        functions(f'extern "C" __global__ void k(int n) {{\n{text}\n}}\n')


def test_kernels_are_chosen_by_globs():
    assert is_chosen((), "matmul.main")
    assert is_chosen(("mat*",), "matmul.main", "main")
    assert is_chosen(("main_kernel",), "matmul.main", "main_kernel")
    assert not is_chosen(("attention*",), "matmul.main", "main", "main_kernel")


def test_only_chosen_kernels_are_planned(recording):
    assert not make_plan([recording], ("nothing*",)).planned
    name = recording.info.kernel.qualname
    assert [one.kernel for one in make_plan([recording], (f"{name[:4]}*",)).planned] == [name]


WRITTEN = st.lists(st.tuples(st.integers(1, 60), st.integers(0, 3_000_000_000)), max_size=40)


@given(WRITTEN, st.integers(0, 2**40), st.booleans())
@settings(deadline=None, max_examples=40)
def test_what_a_warp_wrote_is_read(stamps, clock, ended):
    capacity = 64
    row = [0] * capacity
    row[0] = 1 << 63 | 17 << 32 | 5
    row[1], row[2] = 1_000_000, clock
    row[6], row[7] = 16 | 32 << 32, 1 | 384 << 32 | 1 << 43 | 1 << 54
    now = clock
    expected = []
    # A warp that left early has no count: what it wrote is told from older stamps by the clock.
    for index, (site, step) in enumerate(stamps):
        now += step if ended else step % 2_000_000_000
        row[HEADER + index] = site << 32 | now & 0xFFFFFFFF
        expected += [site, now - clock]
    if ended:
        row[3], row[4], row[5] = 1_500_000, now + 100, len(stamps)
    with open_recording(H200 / "gemm.tscope") as recording:
        plan = plan_of(recording, 1, capacity)
    data = bytearray(region_bytes(1, capacity))
    struct.pack_into(f"<{capacity}Q", data, 3 * capacity * 8, *row)
    kernel = _kernel(plan, plan.planned[0], 0, bytes(data), 1, timed((), ()), None)
    assert kernel is not None
    (warp,) = kernel.warps
    assert (warp.block, warp.warp, warp.sm) == (5, 3, 17)
    assert list(warp.stamps) == expected
    assert (warp.end_ns, warp.end_cycles) == ((1_500_000, now + 100 - clock) if ended else (None, None))
    assert kernel.grid == (16, 32, 1)
    assert kernel.block == (384, 1, 1)


def test_nothing_written_is_nothing_read():
    with open_recording(H200 / "gemm.tscope") as recording:
        plan = plan_of(recording, 1)
    assert _kernel(plan, plan.planned[0], 0, bytes(region_bytes(1, 64)), 1, timed((), ()), None) is None


def test_overhead_is_that_of_medians():
    assert timed((10.0, 12.0, 11.0), (11.0, 11.22, 99.0)).overhead == pytest.approx(0.02)
    assert timed((), (1.0,)).overhead is None


@pytest.mark.parametrize(
    ("plain", "stamped", "said"),
    [
        ((), (1.0,), None),
        ((100.0, 101.0, 100.0, 100.0, 99.0, 300.0), (110.0,), "+10.0%"),
        ((100.0, 106.0, 100.0, 94.0), (102.0,), "nothing that shows (+2.0%)"),
        ((100.0,), (98.0,), "nothing that shows (-2.0%)"),
        ((100.0,), (101.0,), "+1.0%"),
    ],
)
def test_a_cost_that_is_less_than_the_spread_of_launches_does_not_show(plain, stamped, said):
    assert cost(timed(plain, stamped)) == said


def recorded(kernel: str) -> StampProfile:
    profile = read(H200 / f"{kernel}_stamps.json.gz")
    assert profile is not None
    return profile


@pytest.mark.parametrize("kernel", ["gemm", "attention"])
def test_stamps_of_an_h200(kernel):
    profile = recorded(kernel)
    (found,) = profile.kernels
    assert len({warp.block for warp in found.warps}) == profile.blocks == 8
    assert found.timing.overhead is not None
    assert found.timing.overhead <= 0.03
    for side, of_side in shares(found).items():
        assert side in ("producer", "consumer")
        assert sum(one.share for one in of_side) == pytest.approx(1)
    for warp in found.warps:
        spans = list(intervals(warp))
        assert all(start <= end for _, start, end in spans)
        assert [end for _, _, end in spans[:-1]] == [start for _, start, _ in spans[1:]]
        assert spans[-1][2] == warp.end_cycles
        assert not warp.full
    assert 0 < (found.clock_ghz or 0) < 2.1


def test_producers_of_the_gemm_wait_for_room_not_for_memory():
    (found,) = recorded("gemm").kernels
    by_side = shares(found)
    waits = {side: sum(one.share for one in of if one.kind == "wait") for side, of in by_side.items()}
    assert waits["producer"] > 0.7
    loops = [one for one in by_side["consumer"] if one.text.startswith("tl::warpgroup_wait")]
    assert [one.times for one in loops] == [64 * 8 * 8]  # steps of k, consumer warps, sampled blocks


@pytest.mark.skipif(Path("/dev/nvidiactl").exists(), reason="there is a driver here")
def test_programs_without_a_driver_run_on(tmp_path):
    """The hook rewrites nothing where it cannot allocate; the program gets its plain kernel."""
    pytest.importorskip("tilelang")
    program = tmp_path / "program.py"
    program.write_text(
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import tilelang, profiled_kernels\n"
        "from tilelang.backend.target import determine_target\n"
        "target = determine_target({'kind': 'cuda', 'arch': 'sm_90a'}, return_object=True)\n"
        "with target:\n"
        "    print(tilelang.lower(profiled_kernels.matmul.get_tir(), target=target).kernel_source)\n"
    )
    with open_recording(H200 / "gemm.tscope") as recording:
        (tmp_path / "plan.json").write_text(json.dumps(plan_of(recording).for_hook()))
        source = recording.generated()
    kernels = Path(__file__).parents[1] / "kernels"
    done = subprocess.run(
        [sys.executable, str(program), str(kernels)],
        env=environment({STAMPS: tmp_path}, os.environ),
        capture_output=True,
        text=True,
        check=True,
    )
    assert "tilescope" not in done.stdout
    report = json.loads(next(path for path in tmp_path.glob("[0-9]*.json")).read_text())
    if source is not None and source.strip() in done.stdout:  # the TileLang that recorded it
        assert "gemm_relu_kernel: not stamped: no CUDA driver" in report["notes"][0]


def test_the_layout_is_the_same_on_both_sides():
    hook = Path(tilescope_worker.__file__).parent / "stamps" / "hook.py"
    assert f'_PLACEHOLDER = "{PLACEHOLDER}"' in hook.read_text()
    assert WARPS * 32 == 1024
