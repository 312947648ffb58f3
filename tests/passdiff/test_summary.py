"""What a pass did, in one line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.recordings import BOUND, FRESH, GEMM, STAGED, Step

from tilescope_passdiff.render.terminal import pass_text
from tilescope_passdiff.render.unified import plain_diff
from tilescope_passdiff.summary import summaries, summary_of
from tilescope_trace.store.read import open_recording
from tilescope_trace.store.select import find_pass
from tilescope_trace.store.write import RecordingWriter
from tilescope_trace.structure import Loop, structure_of
from tilescope_worker.wire.messages import PassEnded, PassText

MakeRecording = Callable[..., Path]

BODY = """\
        with T.sblock("tilelang_root"):
            for k in T.unroll(4):
                T.copy(T.region(A[k, 0], 1, 8, 8), T.region(A_shared[k, 0], 2, 8, 8))
"""


def did(make_recording: MakeRecording, before: str, after: str) -> str:
    with open_recording(make_recording("one", (Step("tl.Some", before, after),))) as recording:
        return summary_of(recording, recording.passes[0])


def test_of_a_real_gemm(real_gemm: Path) -> None:
    with open_recording(real_gemm) as recording:
        by_label = dict(zip((record.label for record in recording.passes), summaries(recording), strict=True))
    special = by_label["tl.ProducerConsumerWarpSpecialized"].split(", ")
    assert special[:4] == [
        "threads 128 → 256",
        "split into producer and consumer warps",
        "2 copies → TMA",
        "+2 mbarrier waits",
    ]
    assert "shared 16 → 48 KiB" in special
    lowered = by_label["tl.LowerTileOp"].split(", ")
    assert {"2 TMA copies → TMA loads", "1 gemm → wgmma", "C_local split over threads"} <= set(lowered)
    assert by_label["tl.LayoutInference"].startswith("A_shared, B_shared, C_local given layouts")
    assert by_label["tl.VectorizeLoop"] == "3 vectorized loops → vector accesses"
    assert by_label["tirx.Filter#1"] == "- function main_kernel"
    assert by_label["tl.MergeSharedMemoryAllocations"].endswith("A_shared, B_shared merged into buf_dyn_shmem")
    assert by_label["tl.PlanAndUpdateBufferAllocationLocation"] == "1 line moved"


def test_barriers_are_counted(make_recording: MakeRecording) -> None:
    line = "            T.fill"
    barrier = '            T.tvm_storage_sync("shared.dyn")\n'
    assert did(make_recording, BOUND, BOUND.replace(line, barrier * 2 + line)) == "+2 barriers"
    assert did(make_recording, BOUND.replace(line, barrier + line), BOUND) == "-1 barrier"


def test_an_unrolled_loop_is_told_with_its_count(tmp_path: Path) -> None:
    head, loop, copy = BODY.rstrip().split("\n")
    texts = {"before": [head, loop, copy], "after": [head, *[copy.replace("k", str(k))[4:] for k in range(4)]]}
    with RecordingWriter(tmp_path / "r.tscope") as writer:
        for name, text in texts.items():
            places = tuple((at, 0, 7) for at, line in enumerate(text, start=1) if "T.copy" in line)
            writer.add(PassText(0, name, "\n".join(text), ("k.py",), places))
        writer.add(PassEnded(0, 0, "tl.UnrollLoop", None, "both", 0, None, True, "before", "after", 1.0, "ok"))
    with open_recording(tmp_path / "r.tscope") as recording:
        assert summaries(recording) == ("loop k unrolled ×4",)
    assert structure_of("\n".join(texts["before"])).loops == (Loop("k", "unrolled", 4, 2, 4),)


@given(
    st.lists(
        st.sampled_from(
            ["for i in range(", "T.grid(4, ", "):", "if x:", "with T.sblock(", '"a": 1', "(", "T.attr(", " ", "\n"]
        )
        | st.text(max_size=6)
    ).map("".join)
)
def test_any_text_has_a_structure(text: str) -> None:
    assert structure_of(text).lines == text.count("\n") + 1


def test_shared_memory_is_told_where_it_changes(make_recording: MakeRecording) -> None:
    assert did(make_recording, BOUND, STAGED) == "A_shared × 3 stages, shared 8 → 24 KiB"
    smaller = STAGED.replace("(3, 128, 32)", "(2, 128, 32)")
    assert did(make_recording, STAGED, smaller) == "shared 24 → 16 KiB"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: "\n".join("    " + line for line in text.split("\n")), "indented anew"),
        (lambda text: text.replace("bx", "bx_1"), "names numbered anew"),
        (lambda text: text.replace("0:993", "0:1024"), "1 line rewritten"),
        (lambda text: text.replace('"threadIdx.x", 128', '"threadIdx.x", 256'), "threads 128 → 256"),
        (lambda text: text.replace("T.serial(32, ", "T.parallel(32, "), "+1 parallel loop"),
    ],
)
def test_changes_of_wording(make_recording: MakeRecording, change: Callable[[str], str], said: str) -> None:
    assert said in did(make_recording, FRESH, change(FRESH))


def test_nothing_is_said_of_passes_that_did_nothing_or_failed(failed_recording: Path) -> None:
    with open_recording(failed_recording) as recording:
        told = dict(zip((record.label for record in recording.passes), summaries(recording), strict=True))
    assert told["tl.Simplify"] == told["tl.LayoutInference"] == ""


def test_layouts_that_the_text_leaves_out_are_shown(make_recording: MakeRecording) -> None:
    with open_recording(make_recording("made", GEMM)) as recording:
        diff = plain_diff(recording, find_pass(recording, "tl.LayoutInference")).splitlines()
        assert diff[1].startswith("layout of A_shared: ")
        # Only the pass that attaches a layout tells it in its diff; every text with it does.
        assert "layout of" not in plain_diff(recording, find_pass(recording, "tl.LowerTileOp"))
        assert "layout of A_shared: " in pass_text(recording, find_pass(recording, "tl.LowerTileOp")).plain
        assert "layout of" not in pass_text(recording, find_pass(recording, "tl.InjectSoftwarePipeline")).plain
