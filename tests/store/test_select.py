"""Which pass a person means."""

from __future__ import annotations

import pytest

from tilescope_trace.errors import UsageError
from tilescope_trace.store.read import open_recording
from tilescope_trace.store.select import find_pass


@pytest.mark.parametrize(
    ("text", "index"),
    [
        ("0", 0),
        (" 5 ", 5),
        ("tl.LayoutInference", 4),
        ("tl.Simplify#2", 6),
        ("tirx.Simplify", 7),
        ("TL.LOWERTILEOP", 5),
        ("layoutinference", 4),
        ("simplify#1", 2),
        ("pass_fn", 0),
    ],
)
def test_a_pass_is_found(make_recording, text: str, index: int) -> None:
    with open_recording(make_recording()) as recording:
        assert find_pass(recording, text).index == index


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tl.Simplify", r"ambiguous: tl\.Simplify#1 \(index 2\), tl\.Simplify#2 \(index 6\)\."),
        ("Simplify", r"ambiguous: .*tl\.Simplify#2.*tirx\.Simplify"),
        ("tl.Simplify#3", r"no pass 'tl\.Simplify#3'\. Did you mean"),
        ("LayoutInferense", r"Did you mean tl\.LayoutInference\?"),
        ("8", r"no pass '8'\. Indexes go from 0 to 7\."),
        ("²", r"no pass '²'\."),
        ("", r"no pass ''\. `tilescope passes \S*gemm\.tscope` lists them"),
        ("-1", r"no pass '-1'"),
    ],
)
def test_what_names_no_single_pass_is_refused(make_recording, text: str, message: str) -> None:
    with open_recording(make_recording()) as recording, pytest.raises(UsageError, match=message):
        find_pass(recording, text)


def test_a_recording_without_passes_says_so(make_recording) -> None:
    path = make_recording(steps=(), generated=None)
    with open_recording(path) as recording, pytest.raises(UsageError, match="holds no passes"):
        find_pass(recording, "0")
