"""Profiles over the browser: heat, the Timeline screen, on samples of an H200 and of a simulated core."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.profile.ascend_files import simulated, simulation, write_json

from tilescope_passdiff.tui.profiles import Wanted
from tilescope_passdiff.tui.screens.timeline import Timeline
from tilescope_trace.profile.load import load_profiles
from tilescope_trace.store.read import Recording, open_recording

DATA = Path(__file__).parents[1] / "data" / "profiles"
H200 = DATA / "h200"
STAMPS = Wanted((H200 / "gemm_stamps.json.gz",))
SAMPLES = Wanted((H200 / "gemm_ncu_source_sass.csv.gz",), (H200 / "gemm.cubin",))
KERNELS = Wanted((H200 / "gemm_torch.json.gz",))


@pytest.fixture
def measured() -> Iterator[Recording]:
    """The recording of the GEMM that ran on the H200."""
    with open_recording(H200 / "gemm.tscope") as opened:
        yield opened


def text(seen) -> str:
    return "\n".join(seen.lines())


def chosen(seen) -> str:
    lanes = seen.app.screen.lanes
    return lanes.attached.label(lanes.chosen)


async def test_heat_stands_beside_source_ir_and_generated_source(measured, watch):
    async with watch(measured, size=(200, 60), profiles=SAMPLES) as seen:
        assert re.match(r" *47% .*24 .*T\.gemm\(A_shared", seen.line("source", "T.gemm("))
        await seen.press(*"pppp")
        hot = [line for line in seen.pane("text") if line.startswith(" 47%")]
        assert len(hot) == 1, "a profile cannot tell IR lines of one Python line apart: the first one has it"
        if not seen.shown("generated"):
            await seen.press("g")
        shares = seen.browser.measured.heat.generated
        line = max(shares, key=lambda one: shares[one].share)
        seen.browser.generated.move_to(line - 1)
        await seen.settle()
        row = next(row for row in seen.pane("generated") if re.search(rf"\b{line}\b ", row[:40]))
        assert row.lstrip().startswith(f"{shares[line].share:.0%}")
        await seen.press("H")
        assert not any("%" in row[:6] for row in seen.pane("source"))
        await seen.press("H")
        assert seen.line("source", "T.gemm(").lstrip().startswith("47%")


async def test_time_of_stamped_warps_is_heat_where_there_are_no_samples(measured, watch):
    async with watch(measured, size=(200, 60), profiles=STAMPS) as seen:
        heat = seen.browser.measured.heat
        (profile,) = load_profiles(STAMPS.paths[0])
        spent = sum(
            duration
            for place, duration in zip(profile.slices.place, profile.slices.duration_ns, strict=True)
            if profile.places[place][-1].line == 24
        )
        share = next(hot.share for origin, hot in heat.python.items() if origin.line == 24)
        assert share == pytest.approx(spent / sum(profile.slices.duration_ns))
        assert seen.line("source", "T.gemm(").lstrip().startswith(f"{share:.0%}")


async def test_t_shows_lanes_and_enter_follows_a_slice_to_its_lines(measured, watch):
    async with watch(measured, size=(120, 40), profiles=STAMPS) as seen:
        await seen.press("T")
        assert isinstance(seen.app.screen, Timeline)
        assert "SM 128" in text(seen)
        assert "block 0" in text(seen)
        assert "warp 11" in text(seen)
        assert "exact: its annotation" in text(seen)
        await seen.press("down", "j", "j", "down", "up", "k", "j", "j", "1")
        assert chosen_lane(seen) == "warp 4"
        await seen.press(*["right"] * 8, "n", "p", "left", "right")
        assert "T.gemm" in chosen(seen)
        await seen.press("f")
        assert chosen(seen)[:12] in text(seen), "a slice as large as the screen has its name in it"
        await seen.press("enter")
        assert seen.app.screen is seen.browser
        assert seen.browser.selection.places[0].line == 24
        assert seen.browser.source.cursor == 23
        await seen.press("T")
        assert "T.gemm" in chosen(seen), "the place is kept"


async def test_it_begins_at_the_first_slice_of_the_first_lane_that_has_some(measured, watch):
    for size in ((120, 36), (80, 24)):
        async with watch(measured, size=size, profiles=STAMPS) as seen:
            await seen.press("T")
            lanes = seen.app.screen.lanes
            assert lanes.lines[0] != lanes.lines[lanes.cursor], "SM and block have no slices of their own"
            assert (chosen_lane(seen), lanes.cursor) == ("warp 0", 2)
            assert lanes.chosen == lanes.row.slices[0]
            assert lanes.view == lanes.whole
            await seen.press("1")
            assert "SM 128 › block 0 › warp 0" in text(seen)
            await seen.press("right")
            assert lanes.chosen == lanes.row.slices[1]


async def test_the_next_profile_begins_at_its_first_slice(measured, watch):
    async with watch(measured, profiles=Wanted((*STAMPS.paths, *KERNELS.paths))) as seen:
        await seen.press("T", "j", "right", "o")
        lanes = seen.app.screen.lanes
        assert chosen_lane(seen) == "thread 726 (python3)"
        assert chosen(seen) == "iteration 0"
        assert lanes.chosen == lanes.row.slices[0]


async def test_a_slice_that_shares_a_column_is_no_wider_than_that(measured, watch):
    async with watch(measured, size=(120, 36), profiles=STAMPS) as seen:
        await seen.press("T")
        lanes = seen.app.screen.lanes
        assert lanes.row.ends[0] - lanes.row.starts[0] < lanes.view.length / lanes.columns
        style = lanes.styled.text.color
        for steps in (0, 40):
            await seen.press(*["right"] * steps)
            parts = list(lanes.draw(lanes.cursor, selected=False)[1])
            own = [part for part in parts if part.style.bgcolor == style]
            assert [part.cell_length for part in own] == [1]
            at = sum(part.cell_length for part in parts[: parts.index(own[0])])
            start = lanes.attached.rows.start_of(lanes.chosen)
            assert at == start * lanes.columns // lanes.view.length


async def test_what_was_found_is_marked_in_columns_that_it_shares_and_in_no_others(measured, watch):
    async with watch(measured, size=(120, 36), profiles=STAMPS) as seen:
        await seen.press("T", "slash", *"gemm", "enter")
        lanes = seen.app.screen.lanes
        marks = {
            lanes.attached.profile.lanes[lanes.lines[index].lane].title: sum(
                part.cell_length
                for part in lanes.draw(index, selected=False)[1]
                if part.style == lanes.styled.current_match
            )
            for index in range(2, 14)
        }
        assert not any(marks[f"warp {producer}"] for producer in range(4)), "producers have no gemm"
        assert all(marks[f"warp {consumer}"] > 20 for consumer in range(4, 12))


def chosen_lane(seen) -> str:
    lanes = seen.app.screen.lanes
    return lanes.attached.profile.lanes[lanes.lines[lanes.cursor].lane].title


async def test_zooming_keeps_what_is_chosen_and_panning_stays_inside(measured, watch):
    async with watch(measured, size=(100, 30), profiles=STAMPS) as seen:
        await seen.press("T", "pagedown", "space", "pageup", "home", "j", "j", *["right"] * 20)
        lanes = seen.app.screen.lanes
        whole = lanes.view
        await seen.press("w", "plus", "w")
        assert lanes.view.length == whole.length // 8
        start = lanes.attached.rows.start_of(lanes.chosen)
        assert lanes.view.start <= start <= lanes.view.end
        await seen.press("d")
        moved = lanes.view.start
        await seen.press("a", *["a"] * 20)
        assert lanes.view.start == 0 < moved
        await seen.press(*["d"] * 60)
        assert lanes.view.end == whole.end
        await seen.press("s", "minus")
        assert lanes.view.length == whole.length // 2
        await seen.press("0")
        assert lanes.view == whole
        await seen.press("end")
        assert lanes.cursor == lanes.count - 1


async def test_searching_steps_through_slices_in_the_order_of_time(measured, watch):
    async with watch(measured, profiles=KERNELS) as seen:
        await seen.press("T", "slash", *"gemm_relu")
        assert "3 slices" in text(seen)
        await seen.press("enter")
        starts = [seen.app.screen.attached.rows.start_of(seen.app.screen.lanes.chosen)]
        for _ in range(2):
            await seen.press("greater_than_sign")
            starts.append(seen.app.screen.attached.rows.start_of(seen.app.screen.lanes.chosen))
        assert starts == sorted(set(starts))
        assert len(starts) == 3
        await seen.press("less_than_sign")
        assert seen.app.screen.attached.rows.start_of(seen.app.screen.lanes.chosen) == starts[1]
        await seen.press("escape")
        assert isinstance(seen.app.screen, Timeline), "first the search is left"
        await seen.press("escape")
        assert seen.app.screen is seen.browser


async def test_statistics_of_what_is_marked_add_up_to_the_file(measured, watch):
    async with watch(measured, profiles=KERNELS) as seen:
        await seen.press("T", "slash", *"gemm_relu", "enter", "m", "greater_than_sign")
        (profile,) = load_profiles(KERNELS.paths[0])
        times = sorted(
            (start, duration)
            for start, duration, name in zip(
                profile.slices.start_ns, profile.slices.duration_ns, profile.slices.name, strict=True
            )
            if profile.texts[name] == "gemm_relu_kernel"
        )
        await seen.settle()
        row = next(line for line in seen.lines() if line.rstrip(" █").endswith("gemm_relu_kernel") and " 2 " in line)
        assert f"{(times[0][1] + times[1][1]) / 1000:.1f} µs" in row
        await seen.press("m", "2")
        assert "in view" in text(seen)


async def test_the_panels_tell_longest_pipeline_and_waves(measured, watch):
    both = Wanted((*STAMPS.paths, *KERNELS.paths))
    async with watch(measured, size=(140, 60), profiles=both) as seen:
        await seen.press("T", "3")
        assert "the 100 longest of 16,960 slices" in text(seen)
        await seen.press("tab", "j", "enter")
        longest = max(load_profiles(STAMPS.paths[0])[0].slices.duration_ns)
        lanes = seen.app.screen.lanes
        assert lanes.attached.profile.slices.duration_ns[lanes.chosen] == longest
        await seen.press("shift+tab", "5")
        shown = text(seen)
        assert "8 sampled blocks" in shown
        assert "overlap" in shown
        assert "bubbles" in shown
        stages = {match[1] for line in shown.splitlines() if (match := re.match(r" *producer +(\d) +\d", line))}
        assert stages == {"0", "1", "2"}
        rows = re.findall(r"^ *(producer|consumer) +(\d) .*? ([\d,]+)  (\S.*?) *$", shown, re.MULTILINE)
        told = [(side, stage, what) for side, stage, _, what in rows]
        assert any(what.startswith("waits for data: T.gemm(") for _, _, what in told)
        assert len(told) == len(set(told)), "one row a stage"
        await seen.press("6")
        assert "512 blocks, 1 on each of 132 SMs at once: 4 waves, the last with 116 of 132; 97%" in text(seen)
        await seen.press("o", "4")
        assert "profile 2 of 2" in text(seen)
        assert "unique: " in text(seen)
        await seen.press("o", "5")
        await seen.press("question_mark")
        assert "In the lanes of a timeline" in text(seen)
        await seen.press("escape", "t", "colon", "escape", "ctrl+p", "escape", "q")
        assert not seen.app.is_running or seen.app.return_code == 0 or seen.app._exit


async def test_pipes_of_a_simulated_core_overlap(measured, watch, tmp_path):
    path = write_json(tmp_path / "trace.json", simulated(simulation()))
    with open_recording(DATA / "ascend" / "gemm.tscope") as recording:
        async with watch(recording, size=(120, 40), profiles=Wanted((path,))) as seen:
            await seen.press("T", "5")
            shown = text(seen)
            assert "CUBE" in shown
            assert "MTE2" in shown
            assert "overlap" in shown
            assert "1 core" in shown


async def test_what_is_no_profile_of_this_kernel_is_said(measured, watch, tmp_path):
    broken = tmp_path / "trace.json"
    broken.write_text('{"traceEvents": [')
    async with watch(measured, profiles=Wanted((broken,))) as seen:
        assert "trace.json" in " ".join(note.message for note in seen.app._notifications)
        await seen.press("T")
        assert seen.app.screen is seen.browser
    other = tmp_path / "other.json"
    event = {"ph": "X", "cat": "kernel", "name": "other", "pid": 0, "tid": 7, "ts": 1.0, "dur": 2.0, "args": {}}
    other.write_text(json.dumps({"schemaVersion": 1, "traceEvents": [event]}))
    async with watch(measured, profiles=Wanted((other,))) as seen:
        await seen.press("H", "T")
        assert "no launch is of this recording" in text(seen)
        await seen.press("enter")
        assert isinstance(seen.app.screen, Timeline)


async def test_without_a_profile_t_says_how_to_lay_one(measured, watch):
    async with watch(measured) as seen:
        await seen.press("T", "H")
        assert any("--profile FILE" in note.message for note in seen.app._notifications)


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
async def test_small_terminals_show_it_whole(measured, watch, size):
    async with watch(measured, size=size, profiles=STAMPS) as seen:
        await seen.press("T", "j", "j", "right", "1")
        assert all(len(line) == size[0] for line in seen.lines())
        assert "warp 0" in text(seen)


async def test_slices_are_found_and_counted_by_the_text_of_their_line(measured, watch):
    async with watch(measured, size=(140, 40), profiles=STAMPS) as seen:
        await seen.press("T", "slash", *"T.GEMM(")
        (profile,) = load_profiles(STAMPS.paths[0])
        own = [place for place in profile.slices.place if profile.places[place][-1].line == 24]
        assert f"{len(own):,} slices" in text(seen)
        await seen.press("enter", "2")
        assert "T.gemm" in chosen(seen)
        for awaited in ("data", "wgmma"):
            assert text(seen).count(f"wait for {awaited}: T.gemm(A_shared, B_shared, C_local)") == 1
        assert re.search(r"\d% .*s  T\.gemm\(A_shared", text(seen))
