from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tilescope_server.shift import between, moved_finding, moved_kernel
from tilescope_trace.model import Finding, Kernel
from tilescope_trace.text_lines import lines_of


def test_lines_before_an_edit_stay_and_lines_after_it_move() -> None:
    moves = between("a\nb\nc\nd", "a\nb\nx\ny\nd")
    assert [moves.line(n) for n in (1, 2, 3, 4)] == [1, 2, None, 5]


def test_several_edits_at_once_leave_the_lines_between_them() -> None:
    moves = between("a\nb\nc\nd\ne", "a\nB\nnew\nc\nD\ne")
    assert [moves.line(n) for n in range(1, 6)] == [1, None, 4, None, 6]


texts = st.lists(st.sampled_from(["a", "b", "", "c = 1"])).map("\n".join)


@given(old=texts, new=texts)
def test_a_line_that_has_a_new_place_is_unchanged_there(old: str, new: str) -> None:
    moves = between(old, new)
    before, after = lines_of(old), lines_of(new)
    places = [(n, moves.line(n)) for n in range(1, len(before) + 1)]
    assert all(place is None or before[n - 1] == after[place - 1] for n, place in places)
    kept = [place for _, place in places if place is not None]
    assert kept == sorted(set(kept))


def test_a_kernel_moves_with_its_text_and_loses_what_was_edited(compiled_kernel: Kernel, gemm_text: str) -> None:
    edited = gemm_text.replace("A_shared = T.alloc_shared((bM, bK)", "A_shared = T.alloc_shared((bM, 64)")
    moved = moved_kernel(compiled_kernel, between(gemm_text, "# first\n" + gemm_text))
    assert moved is not None
    assert [buffer.line for buffer in moved.buffers] == [11, 13]
    layout = moved.buffers[0].layout
    assert layout is not None
    assert layout.decided_by is not None
    assert layout.decided_by.line == 18
    partly = moved_kernel(compiled_kernel, between(gemm_text, edited))
    assert partly is not None
    assert [buffer.name for buffer in partly.buffers] == ["C_local"]


def test_a_finding_on_an_edited_line_is_given_up() -> None:
    finding = Finding("TS102", "error", "f.py", 2, 1, 2, 5, "no")
    assert moved_finding(finding, between("a\nb\nc", "a\nx\nc")) is None
    moved = moved_finding(finding, between("a\nb\nc", "0\na\nb\nc"))
    assert moved is not None
    assert (moved.line, moved.end_line) == (3, 3)


def test_a_kernel_that_edits_leave_alone_is_the_same_object(compiled_kernel: Kernel, gemm_text: str) -> None:
    ends = gemm_text + "\n# end", gemm_text + "\n# the end", "\n" + gemm_text + "\n# the end"
    once = moved_kernel(compiled_kernel, between(gemm_text, ends[0]))
    assert once is not None
    assert moved_kernel(once, between(ends[0], ends[1])) is once
    below = moved_kernel(once, between(ends[1], ends[2]))
    assert below is not None
    assert below.line == once.line + 1
