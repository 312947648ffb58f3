"""Lines in both directions, and the share that has no known Python line."""

from __future__ import annotations

from tilescope_trace.model import Origin
from tilescope_trace.provenance import of_generated, of_pass, unplaced_note
from tilescope_worker.wire.messages import GeneratedLine

from .conftest import Make, Moment, Source


def test_ir_lines_to_python_lines_and_back(make: Make) -> None:
    recording = make([Moment("x"), Moment("a\nb\nc\nd", ((1, 16), (2, 16), (2, 23)), unplaced=(4,))])
    places = of_pass(recording, recording.passes[0])
    assert places.origins[2] == (Origin("gemm.py", 16), Origin("gemm.py", 23))
    assert places.lines == {Origin("gemm.py", 16): (1, 2), Origin("gemm.py", 23): (2,)}
    assert places.counts == (1, 3)
    assert unplaced_note(places) == "1 of 3 lines have no known Python line"


def test_generated_lines_with_roles_and_what_has_no_line(make: Make) -> None:
    text = "#include <x>\n\nmain() {\n  load();\n  // note\n  wait();\n}\n"
    lines = (GeneratedLine(4, ((0, 23), (1, 7)), "producer"), GeneratedLine(6, (), "barrier"))
    places = of_generated(make([Moment("x"), Moment("y")], Source(text, lines)))
    assert places.origins == {4: (Origin("gemm.py", 23), Origin("/elsewhere/macros.py", 7))}
    assert places.lines[Origin("/elsewhere/macros.py", 7)] == (4,)
    assert (places.unplaced, places.counts) == ((3, 6), (2, 3))
    assert places.roles == {4: "producer", 6: "barrier"}


def test_an_old_recording_does_not_tell(make: Make) -> None:
    recording = make([Moment("x"), Moment("y", unplaced=None)])
    places = of_pass(recording, recording.passes[0])
    assert places.counts is None
    assert unplaced_note(places) is None


def test_without_generated_source_there_is_nothing_to_tell(make: Make) -> None:
    places = of_generated(make([Moment("x"), Moment("y")]))
    assert (places.counts, unplaced_note(places)) == ((0, 0), None)
