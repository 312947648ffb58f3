"""Profiles laid over the page, and over a recording."""

from __future__ import annotations

import re
from array import array
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.profile.ascend_files import base, block, instruction, simulated, write_json

from tilescope_passdiff.render.html.payload import payload
from tilescope_passdiff.render.timeline_strip import MOST_ROWS, timeline_strip
from tilescope_trace.errors import UsageError
from tilescope_trace.profile.model import Lane, Launch, Profile, Slices
from tilescope_trace.profile.overlay import overlays
from tilescope_trace.store.read import open_recording

DATA = Path(__file__).parents[1] / "data" / "profiles"
H200 = DATA / "h200"
SAMPLED = ((H200 / "gemm_ncu_source_sass.csv.gz",), (H200 / "gemm.cubin",))


def gemm_payload(*profiles: Path, codes: tuple[Path, ...] = ()) -> list[dict[str, Any]]:
    with open_recording(H200 / "gemm.tscope") as recording:
        found: list[dict[str, Any]] = payload(recording, overlays(profiles, recording, codes))["profiles"]
        return found


def test_lines_have_their_share_and_top_stall() -> None:
    (found,) = gemm_payload(*SAMPLED[0], codes=SAMPLED[1])
    (_, _, share, stall), *rest = found["python"]
    assert (round(share, 2), stall) == (0.47, "barrier")
    placed = share + sum(line[2] for line in rest)
    assert placed + sum(share for _, share in found["unplaced"]) == pytest.approx(1, abs=0.01)
    assert found["total"] == "19,894 samples"


def test_a_profile_without_samples_has_its_launches_and_lanes() -> None:
    (found,) = gemm_payload(H200 / "gemm_torch.json.gz")
    assert (found["python"], found["total"]) == ([], None)
    assert re.fullmatch(r"3 launches, median 20\d\.\d µs", found["launches"])
    assert "stream 7" in found["strip"]


def test_a_profile_of_another_kernel_is_refused_with_the_reason() -> None:
    with pytest.raises(
        UsageError, match=r"attention_torch.* has no launch of matmul.gemm_relu: it launches attention"
    ):
        gemm_payload(H200 / "attention_torch.json.gz")


def test_a_simulation_that_names_no_kernel_is_taken_as_given_and_told(tmp_path: Path) -> None:
    events = [instruction("CUBE", "MMAD", 1.0, 0.5, 0x10, "/tmp/kernel.cpp:17")]
    path = write_json(tmp_path / "trace.json", simulated(events))
    with open_recording(DATA / "ascend" / "gemm.tscope") as recording:
        (found,) = overlays([path], recording)
        (shown,) = payload(recording, [found])["profiles"]
    assert "does not name its kernel" in shown["reason"]
    assert shown["generated"] == [[17, 1.0, None]]
    assert shown["total"] == "500 ns of instructions"


def test_a_profile_with_nothing_to_show_says_why(tmp_path: Path) -> None:
    path = write_json(tmp_path / "trace.json", simulated([]))
    with (
        open_recording(DATA / "ascend" / "gemm.tscope") as recording,
        pytest.raises(UsageError, match="did not run in the simulation"),
    ):
        overlays([path], recording)


def test_a_launch_counted_by_number_is_named_with_its_kernel(tmp_path: Path) -> None:
    folder = tmp_path / "main_kernel" / "0"
    folder.mkdir(parents=True)
    (folder / "OpBasicInfo.csv").write_text("Op Name,Task Duration(us),Block Dim\nmain_kernel,2.5,64\n")
    (folder / "visualize_data.bin").write_bytes(block(5, base()))
    with open_recording(DATA / "ascend" / "gemm.tscope") as recording:
        (shown,) = payload(recording, overlays([tmp_path], recording))["profiles"]
    assert (shown["file"], shown["launches"]) == ("main_kernel/0", "1 launch, 2.5 µs")


def test_the_page_shows_heat_beside_python_ir_and_generated_lines(opened) -> None:
    page = opened(H200 / "gemm.tscope", overlaid=SAMPLED)
    assert page.locator("#profile-what").inner_text().startswith("gemm_ncu_source_sass.csv.gz Nsight Compute")
    row = page.locator("#source-rows .row", has_text="T.gemm(A_shared").first
    assert re.match(r"46\.\d% barrier", row.locator(".heat").inner_text())
    assert "of the kernel, mostly barrier" in row.locator(".heat").get_attribute("title")
    page.keyboard.press("h")
    assert page.locator("#source-rows .row.linked", has_text="T.gemm(A_shared").count() == 1
    hot = page.locator("#generated-rows .row.linked .heat b").all_inner_texts()
    assert any(text.endswith("%") for text in hot)
    page.locator("#fold").click()
    same = page.locator("#diff-rows .row.linked .heat.shared b").first
    assert re.match(r"46\.\d%", same.inner_text())
    page.keyboard.press("h")
    assert page.locator("#source-rows .row.linked", has_text="T.Pipelined(").count() == 1


def test_several_profiles_can_be_chosen_and_one_without_samples_has_no_column(opened) -> None:
    both = ((*SAMPLED[0], H200 / "gemm_torch.json.gz"), SAMPLED[1])
    page = opened(H200 / "gemm.tscope", overlaid=both)
    assert page.locator("#profile-body svg").count() == 0
    page.locator("#profiles").select_option("1")
    assert page.locator("#profile-body svg rect").count() >= 3
    assert page.locator("#source-rows .heat").count() == 0


def test_a_page_without_profiles_shows_nothing_of_them(opened) -> None:
    page = opened(H200 / "gemm.tscope")
    assert not page.locator("#profile").is_visible()
    assert page.locator(".heat").count() == 0


def profile(spans: list[tuple[int, int, int]], title: str = "lane") -> Profile:
    """Slices (start, duration, lane) in one launch."""
    lanes = tuple(Lane(f"{title}{number}", "warp") for number in range(max(lane for _, _, lane in spans) + 1))
    count = len(spans)
    slices = Slices(
        array("q", [start for start, _, _ in spans]), array("q", [duration for _, duration, _ in spans]),
        array("i", [lane for _, _, lane in spans]), array("i", [0] * count), array("i", [-1] * count),
        array("i", [-1] * count), array("i", [0] * count),
    )  # fmt: skip
    return Profile(Path("p"), "f", launches=(Launch("k"),), lanes=lanes, slices=slices, texts=("s",))


SPANS = st.lists(
    st.tuples(st.integers(0, 10**15), st.integers(0, 10**12), st.integers(0, 3)), min_size=1, max_size=30
)


@given(SPANS)
def test_a_strip_is_a_picture_with_its_boxes_inside(spans: list[tuple[int, int, int]]) -> None:
    strip = timeline_strip(profile(spans), [0])
    assert strip is not None
    root = ElementTree.fromstring(strip.svg)
    boxes = [node for node in root if node.tag.endswith("rect")]
    assert len(boxes) >= len({lane for _, _, lane in spans})
    for box in boxes:
        assert 0 < float(box.attrib["fill-opacity"]) <= 1
        assert int(box.attrib["x"]) + int(box.attrib["width"]) <= int(root.attrib["width"])


def test_darkness_is_the_share_of_time_that_a_lane_is_busy() -> None:
    strip = timeline_strip(profile([(0, 1000, 0), *[(at * 10, 4, 1) for at in range(100)]]), [0])
    assert strip is not None
    boxes = [node for node in ElementTree.fromstring(strip.svg) if node.tag.endswith("rect")]
    assert boxes[0].attrib["fill-opacity"] == "1"
    assert int(boxes[0].attrib["width"]) == 810
    assert len(boxes) > 100


def test_slices_inside_others_add_nothing() -> None:
    alone, nested = profile([(0, 400, 0), (900, 100, 0)]), profile([(0, 400, 0), (10, 20, 0), (900, 100, 0)])
    assert timeline_strip(alone, [0]) == timeline_strip(nested, [0])


def test_names_of_lanes_are_text_and_too_many_lanes_are_counted() -> None:
    strip = timeline_strip(profile([(0, 1, lane) for lane in range(MOST_ROWS + 5)], "<script>&"), [0])
    assert strip is not None
    assert strip.left_out == 5
    assert "<script>" not in strip.svg
    assert ElementTree.fromstring(strip.svg) is not None
