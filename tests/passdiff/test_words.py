"""What changed inside a line, and which line became which."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilescope_passdiff.lines import diff
from tilescope_passdiff.words import changed_spans, pair_lines, refine


def marked(before: str, after: str) -> tuple[list[str], list[str]]:
    old, new = changed_spans(before, after)
    return [before[start:end] for start, end in old], [after[start:end] for start, end in new]


@pytest.mark.parametrize(
    ("before", "after", "gone", "come"),
    [
        ("A[k % 3] = 1", "A[k % 4] = 1", ["3"], ["4"]),
        ("T.copy(A, B)", "T.tma_load(A, B)", ["copy"], ["tma_load"]),
        ("x = float16", "x = float32", ["float16"], ["float32"]),
        ("T.call(a)", "T.call(a, b)", [], [", b"]),
        ("    for i:", "        for i:", [], ["    "]),
        ("        y = 0.5", "    y = 1.5", ["    ", "0.5"], ["1.5"]),
        ("same", "same", [], []),
        ("", "new", [], ["new"]),
        ("größe = α", "größe = β", ["α"], ["β"]),
    ],
)
def test_whole_words_are_marked(before: str, after: str, gone: list[str], come: list[str]) -> None:
    assert marked(before, after) == (gone, come)


TEXT = st.text("ab1. _(),é😀\t", max_size=30)


@settings(max_examples=300, deadline=None)
@given(TEXT, TEXT)
def test_without_the_marked_spans_both_sides_agree(before: str, after: str) -> None:
    def rest(line: str, spans: tuple[tuple[int, int], ...]) -> str:
        for start, end in reversed(spans):
            assert start < end <= len(line)
            line = line[:start] + line[end:]
        return "".join(line.split())

    old, new = changed_spans(before, after)
    assert rest(before, old) == rest(after, new)


def test_lines_are_paired_by_likeness_in_order() -> None:
    before = ["T.copy(A[0], A_shared)", "T.gemm(A_shared, C)", "T.store(C)"]
    after = ["T.barrier()", "T.copy(A[1], A_shared)", "completely = different", "T.store(C, D)"]
    assert pair_lines(before, after) == ((0, 1), (2, 3))


def test_reindented_and_renumbered_lines_are_paired_in_any_number() -> None:
    before = [f"v_{n} = A[{n}] * {n % 7}" for n in range(3000)]
    after = [f"    v_{n + 1} = A[{n}] * {n % 5}" for n in range(3000)]
    assert pair_lines(before, after) == tuple((n, n) for n in range(3000))


def test_unlike_lines_stay_alone() -> None:
    assert pair_lines(["a b c d"], ["1 + 2 * 3"]) == ()
    assert pair_lines([], ["x"]) == ()
    assert pair_lines(["", ""], ["", ""]) == ()


def test_pairs_of_a_block_are_numbered_in_the_whole_text() -> None:
    before, after = ["same", "x = 1", "end"], ["same", "more", "x = 2", "end"]
    block = next(block for block in diff(before, after) if block.kind == "replace")
    (pair,) = refine(block, before, after)
    assert (pair.before, pair.after) == (1, 2)
    assert (pair.before_spans, pair.after_spans) == (((4, 5),), ((4, 5),))
