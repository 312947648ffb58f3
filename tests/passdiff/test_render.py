"""What the terminal, a pipe and a program get to see."""

from __future__ import annotations

import dataclasses
import io
import shutil
import subprocess
from pathlib import Path

import msgspec
import pytest
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.text import Text
from tests.recordings import INFO, SOURCE, Step

from tilescope_passdiff.counts import insertions_deletions
from tilescope_passdiff.lines import split
from tilescope_passdiff.render.json import (
    SHAPES,
    diff_json,
    generated_json,
    pass_text_json,
    passes_json,
)
from tilescope_passdiff.render.terminal import folded, generated_source, pass_diff, pass_table, pass_text
from tilescope_passdiff.render.unified import plain_diff
from tilescope_trace.errors import UsageError
from tilescope_trace.store.read import Recording, open_recording


@pytest.fixture
def recording(make_recording):
    with open_recording(make_recording()) as opened:
        yield opened


@pytest.fixture
def failed(failed_recording: Path):
    with open_recording(failed_recording) as opened:
        yield opened


def printed(shown: RenderableType, **options: object) -> str:
    out = io.StringIO()
    Console(file=out, width=200, **options).print(shown, soft_wrap=True)
    return "\n".join(line.rstrip() for line in out.getvalue().rstrip("\n").split("\n"))


def test_counts_are_against_the_own_input_of_a_pass(recording: Recording) -> None:
    assert insertions_deletions(recording) == [(0, 0), (1, 0), (0, 0), (3, 3), (1, 0), (3, 2), (3, 3), (0, 0)]


def test_pass_table(recording: Recording) -> None:
    assert (
        printed(pass_table(recording, every=True))
        == """\
matmul.main for cuda:sm_90a: 8 passes, 5 changed, lowered in 166 ms
#     pass                       phase           +   -    ms  did
0     pass_fn                    -                       1.5
1  ●  tirx.BindTarget            pipeline_cuda  +1       3.0  1 line added
2     tl.Simplify#1              pipeline_cuda           4.5
3  ●  tl.InjectSoftwarePipeline  pipeline_cuda  +3  -3   6.0  A_shared × 3 stages, shared 8 → 24 KiB
4  ●  tl.LayoutInference         pipeline_cuda  +1       7.5  A_shared given a layout
5  ●  tl.LowerTileOp             pipeline_cuda  +3  -2   9.0  1 fill gone, 1 copy gone, +1 unrolled loop
6  ●    tl.Simplify#2            pipeline_cuda  +3  -3  10.5  3 lines rewritten
7     tirx.Simplify              pipeline_cuda          12.0"""
    )


def test_pass_table_of_a_failed_compile(failed: Recording) -> None:
    text = printed(pass_table(failed))
    assert text.startswith("matmul.main for cuda:sm_90a: 5 passes, 2 changed, lowered in 166 ms, failed\n")
    assert "4  ✗  tl.LayoutInference" in text
    assert "tl.Simplify" not in text
    assert text.endswith("pass 4 tl.LayoutInference failed: InternalError: layouts conflict\nFragment A\nFragment B")
    coloured = printed(pass_table(failed), force_terminal=True, color_system="standard", no_color=False)
    assert "\x1b[1;31m" in coloured


def test_a_diff_on_the_terminal_says_the_same_as_in_a_pipe(recording: Recording) -> None:
    for record in recording.passes:
        assert pass_diff(recording, record).plain + "\n" == plain_diff(recording, record)


def test_plain_diff(recording: Recording) -> None:
    assert (
        plain_diff(recording, recording.passes[1], context=1)
        == """\
pass 1 tirx.BindTarget (pipeline_cuda): +1 -0 lines
--- pass 1 before
+++ pass 1 after
@@ -3,2 +3,3 @@
     @T.prim_func
+    # target {"arch": "sm_90a", "kind": "cuda"}
     def main(A_handle: T.handle, C_handle: T.handle):
"""
    )
    assert plain_diff(recording, recording.passes[2]) == "pass 2 tl.Simplify#1 (pipeline_cuda): changed nothing\n"


def test_changed_words_are_marked(recording: Recording) -> None:
    shown = pass_diff(recording, recording.passes[3])
    marked = {shown.plain[span.start : span.end] for span in shown.spans if "reverse" in str(span.style)}
    assert marked == {"3, ", "k % 3, "}
    assert shown.style == ""
    plain = pass_diff(recording, recording.passes[3], words=False)
    assert not any("reverse" in str(span.style) for span in plain.spans)


def test_a_failed_pass_shows_its_error(failed: Recording) -> None:
    assert pass_diff(failed, failed.passes[4]).plain == (
        "pass 4 tl.LayoutInference (pipeline_cuda): failed: InternalError: layouts conflict\n"
        "  Fragment A\n  Fragment B"
    )
    assert plain_diff(failed, failed.passes[4]).startswith("pass 4 tl.LayoutInference (pipeline_cuda): failed: Int")


def test_no_color_is_honoured(recording: Recording, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    text = printed(pass_diff(recording, recording.passes[3]), force_terminal=True, color_system="standard")
    assert "\x1b[31m" not in text


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
@pytest.mark.parametrize("context", [0, 1, 3])
def test_git_applies_a_plain_diff(recording: Recording, tmp_path: Path, context: int) -> None:
    """git wants a path where the heading names the side; nothing else is touched."""
    for record in recording.passes:
        if not record.changed:
            continue
        patch = plain_diff(recording, record, context=context)
        stat = subprocess.run(
            ["git", "apply", "--stat", "-p0"], input=patch, text=True, capture_output=True, check=True
        )
        assert "1 file changed" in stat.stdout
        (tmp_path / "ir").write_text("\n".join(split(recording.text(record.before))) + "\n")
        named = patch.replace(f"--- pass {record.index} before", "--- ir").replace(
            f"+++ pass {record.index} after", "+++ ir"
        )
        subprocess.run(
            ["git", "apply", "-p0", "--unidiff-zero", "-"], input=named, text=True, cwd=tmp_path, check=True
        )
        assert (tmp_path / "ir").read_text() == recording.text(record.after) + "\n"


def test_pass_text_has_line_numbers_and_python_lines(recording: Recording) -> None:
    lines = printed(pass_text(recording, recording.passes[0])).split("\n")
    assert lines[0] == " 1    │ @I.ir_module"
    assert lines[17].startswith("18 18 │                 T.copy(T.region(A[by")
    assert len(lines) == 21
    assert lines[20] == "2 of 5 lines have no known Python line"


def test_a_failed_pass_shows_its_input(failed: Recording) -> None:
    assert "A_shared[k % 3, 0, 0]" in pass_text(failed, failed.passes[4]).plain


def test_generated_source_is_exactly_the_source(recording: Recording) -> None:
    assert generated_source(recording).plain == recording.generated()
    assert (
        generated_source(recording, places=True).plain.split("\n")[1]
        == '2 │ extern "C" __global__ void main_kernel() {'
    )


def test_without_generated_source_the_message_says_why(failed: Recording) -> None:
    with pytest.raises(UsageError, match=r"no generated source: the compiler stopped in pass 4 tl\.LayoutInference"):
        generated_source(failed)


def test_json_documents(recording: Recording) -> None:
    passes = passes_json(recording)
    assert passes["schema"] == "tilescope.passes/1"
    assert (passes["kernel"], passes["target"], passes["status"]) == ("matmul.main", "cuda:sm_90a", "ok")
    assert passes["passes"][6] == {
        "index": 6,
        "name": "tl.Simplify",
        "phase": "pipeline_cuda",
        "module": "both",
        "depth": 1,
        "parent": 5,
        "changed": True,
        "insertions": 3,
        "deletions": 3,
        "duration_ms": 10.5,
        "status": "ok",
        "error": None,
        "summary": "3 lines rewritten",
    }
    (diff,) = diff_json(recording, recording.passes[3:4], context=0)["diffs"]
    assert diff["pass"] == {"index": 3, "name": "tl.InjectSoftwarePipeline"}
    assert diff["hunks"][0]["lines"][1] == {
        "kind": "insert",
        "before": None,
        "after": 15,
        "text": '            A_shared = T.sblock_alloc_buffer((3, 128, 32), "float16", scope="shared.dyn")',
        "changed": [[47, 50]],
    }
    assert pass_text_json(recording, recording.passes[0])["lines"][17]["source"] == [{"file": "gemm.py", "line": 18}]
    assert generated_json(recording)["lines"][0] == {
        "line": 1,
        "text": "#include <tl_templates/cuda/gemm.h>",
        "source": [],
    }


def test_json_documents_have_the_published_shapes(recording: Recording, failed: Recording) -> None:
    for opened in (recording, failed):
        documents = [passes_json(opened), diff_json(opened, opened.passes), pass_text_json(opened, opened.passes[0])]
        for document in documents:
            name = document.pop("schema").removeprefix("tilescope.").removesuffix("/1")
            assert document.keys() == SHAPES[name].keys()
            for key, shape in SHAPES[name].items():
                if name != "diff":
                    msgspec.convert(document[key], shape)


def test_a_terminal_gets_no_control_characters(make_recording) -> None:
    evil = "\x1b]0;title\x07\x9b2J"
    steps = (Step(f"tl.{evil}", f"x{evil}", None, error=f"E{evil}"), Step("tl.Next", f"x{evil}", f"y{evil}"))
    with open_recording(make_recording(steps=steps)) as opened:
        shown = [pass_table(opened)]
        for record in opened.passes:
            shown += [pass_diff(opened, record), pass_text(opened, record)]
        for part in shown:
            assert not set(printed(part)) & {"\x1b", "\x07", "\x9b"}
        assert evil in plain_diff(opened, opened.passes[1])


def test_sources_that_changed_since_are_named(make_recording, tmp_path: Path) -> None:
    path = make_recording(info=dataclasses.replace(INFO, workspace=str(tmp_path)))
    with open_recording(path) as opened:
        for text, stale in ((SOURCE, False), (SOURCE.replace("\n", "\r\n"), False), (SOURCE + "# more", True)):
            (tmp_path / "gemm.py").write_bytes(text.encode())
            assert ("gemm.py is not what was recorded any more" in printed(pass_table(opened))) == stale


def test_long_lines_are_folded_so_that_no_part_reads_as_another_line() -> None:
    code = "        T.copy(T.region(A[by * 128, k * 32], 1, 128, 32), A_shared)"
    shown = folded(Text(f"+{code}\n {code}\n+short"), 50)
    assert shown.plain.split("\n") == [
        "+        T.copy(T.region(A[by * 128, k * 32], 1,",
        "›            128, 32), A_shared)",
        "         T.copy(T.region(A[by * 128, k * 32], 1,",
        "›            128, 32), A_shared)",
        "+short",
    ]


@pytest.mark.parametrize("width", [1, 2, 21, 40])
def test_folding_loses_nothing_but_blanks(width: int) -> None:
    line = "-" + " " * 60 + "name_" * 30 + "× ö 漢字, " * 20
    parts = folded(Text(line), width).plain.split("\n")
    assert "".join(part.removeprefix("›").strip() for part in parts).replace(" ", "") == line.replace(" ", "")
    assert all(part.startswith("›") for part in parts[1:])
    assert width < 21 or all(cell_len(part) <= width for part in parts)


def test_what_changed_the_ir_but_not_its_text_says_so(recording: Recording) -> None:
    bind = recording.passes[1]
    recording.passes = (dataclasses.replace(bind, after=bind.before),)
    assert "±0" in printed(pass_table(recording, every=True))
