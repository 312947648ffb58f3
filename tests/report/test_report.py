"""`tilescope report`: what is written, and where."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path

import pytest
from tests.recordings import INFO

from tilescope.main import main
from tilescope_passdiff.render.html import page, report_html
from tilescope_passdiff.render.html.pool import LinePool, shown, utf16
from tilescope_passdiff.render.markdown import report_markdown
from tilescope_passdiff.render.perfetto import report_perfetto
from tilescope_trace.model import Finding
from tilescope_trace.store.read import open_recording

GEMM_LIMIT = 1_500_000


def test_the_page_of_a_real_gemm_is_small_and_needs_nothing_else(sourced_gemm: Path) -> None:
    with open_recording(sourced_gemm) as recording:
        html = report_html(recording)
    assert len(html.encode()) < GEMM_LIMIT / 5
    assert re.findall(r"""(?:src|href)\s*=\s*["']?[^"'>\s]+""", html) == []
    assert re.findall(r"url\(|@import", html) == []
    assert "default-src 'none'" in html


def test_the_script_holds_nothing_that_would_end_it() -> None:
    script = "".join(page._asset(f"{name}.js") for name in page.SCRIPTS)
    assert "</script" not in script
    assert "innerHTML" not in script


@pytest.mark.parametrize(
    ("out", "begins"), [("r.html", "<!doctype html>"), ("r.md", "### matmul.main"), ("r.json", '{"traceEvents"')]
)
def test_the_form_goes_by_the_name(make_recording, tmp_path: Path, out: str, begins: str, capfd) -> None:
    assert main(["report", str(make_recording()), "-o", str(tmp_path / out)]) == 0
    assert (tmp_path / out).read_text().startswith(begins)
    assert out in capfd.readouterr().err


def test_the_form_may_be_named_and_goes_to_stdout(make_recording, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(make_recording()), "--format", "markdown"]) == 0
    assert capsys.readouterr().out.startswith("### matmul.main for cuda:sm\\_90a\n\nok; 8 passes, 5 of them changed")


@pytest.mark.parametrize(
    ("out", "message"),
    [
        ("no/such/folder.html", "cannot be written|cannot write"),
        ("gemm.tscope", "is the recording itself"),
        ("", "cannot write"),
    ],
)
def test_where_it_cannot_be_written(make_recording, tmp_path: Path, out: str, message: str, capsys) -> None:
    path = make_recording()
    before = path.read_bytes()
    assert main(["report", str(path), "-o", str(tmp_path / out)]) == 2
    assert re.search(message, capsys.readouterr().err)
    assert path.read_bytes() == before


def test_markdown_of_a_failed_recording(failed_recording: Path) -> None:
    with open_recording(failed_recording) as recording:
        text = report_markdown(recording)
    assert "failed; 5 passes" in text
    assert "Pass 4 `tl.LayoutInference` failed: InternalError: layouts conflict Fragment A Fragment B" in text


def test_markdown_takes_nothing_as_markup(make_recording) -> None:
    evil = "@team see #1 <img src=x> | [a](http://x) `code` ![i](j)\n# heading\x1b[31m"
    finding = Finding("TS101", "error", "k|.py", 3, 1, 3, 2, evil, help="**bold**")
    kernel = dataclasses.replace(INFO.kernel, findings=(finding,), notes=(evil,))
    with open_recording(make_recording(info=dataclasses.replace(INFO, kernel=kernel))) as recording:
        lines = report_markdown(recording).split("\n")
    row = next(line for line in lines if "TS101" in line)
    assert re.findall(r"(?<!\\)[@#<>\[\]*!]", row.replace("<br>", "")) == []
    assert len(re.findall(r"(?<!\\)\|", row)) == 5
    assert "␛" in row
    assert [line for line in lines if line.startswith("# ")] == []


def test_pass_times_nest_as_the_passes_did(make_recording) -> None:
    with open_recording(make_recording()) as recording:
        trace = report_perfetto(recording)
    json.dumps(trace)
    slices = {event["name"]: event for event in trace["traceEvents"] if event["ph"] == "X"}
    inner, outer, phase = slices["tl.Simplify#2"], slices["tl.LowerTileOp"], slices["pipeline_cuda"]
    assert inner["ts"] == outer["ts"]
    assert inner["dur"] == 10_500
    assert outer["ts"] == slices["tl.LayoutInference"]["ts"] + slices["tl.LayoutInference"]["dur"]
    assert phase["ts"] <= outer["ts"]
    assert slices["tirx.Simplify"]["ts"] + slices["tirx.Simplify"]["dur"] == pytest.approx(phase["ts"] + phase["dur"])
    assert "reckoned" in trace["otherData"]["note"] or "placed" in trace["otherData"]["note"]


def test_alike_texts_are_stored_once() -> None:
    pool = LinePool()
    assert pool.add(["a", "b", "c"]) == [0, 3]
    assert pool.add(["a", "b", "x", "c"]) == [0, 2, 3, 1, 2, 1]
    assert list(pool.lines) == ["a", "b", "c", "x"]


def test_columns_are_counted_as_browsers_do() -> None:
    assert utf16("a𝄞b", 2) == 3
    assert utf16("abc", 2) == 2
    assert len(shown("a\x00\x1b\u202e\x7fb")) == 6
