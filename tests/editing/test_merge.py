"""Three-way merges, against what must hold of any, and git's on the same texts."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilescope_worker.editing.merge import has_conflicts, merge

LINES = st.lists(st.sampled_from("abcde"), max_size=8).map(lambda lines: "".join(f"{line}\n" for line in lines))


@given(LINES, LINES)
def test_one_side_alone_is_taken(base: str, changed: str) -> None:
    assert merge(base, changed, base).text == changed
    assert merge(base, base, changed).text == changed
    assert merge(base, changed, changed).text == changed


@given(LINES, LINES, LINES)
def test_conflicts_keep_both_texts(base: str, yours: str, new: str) -> None:
    merged = merge(base, yours, new)
    assert has_conflicts(merged.text) == (merged.conflicts > 0)
    mirrored = merge(base, new, yours)
    assert mirrored.conflicts == merged.conflicts
    if not merged.conflicts:
        assert mirrored.text == merged.text
    lines = set(merged.text.split())
    assert set(yours.split()) - set(base.split()) <= lines
    assert set(new.split()) - set(base.split()) <= lines


@given(LINES, LINES, LINES, st.integers(0, 3))
def test_changes_that_lie_apart_are_both_there(before: str, yours: str, new: str, between: int) -> None:
    middle = "".join(f"kept {number}\n" for number in range(between + 2))
    merged = merge(f"{before}{middle}{before}", f"{yours}{middle}{before}", f"{before}{middle}{new}")
    assert merged.conflicts == 0
    assert merged.text == f"{yours}{middle}{new}"


def test_text_without_a_last_line_break() -> None:
    assert merge("a\nb", "a\nc", "a\nb").text == "a\nc"
    assert merge("a", "b", "c").text == "<<<<<<< yours\nb\n=======\nc\n>>>>>>> generated\n"


@pytest.mark.skipif(shutil.which("git") is None, reason="no git to compare with")
@pytest.mark.parametrize(
    ("yours", "new"),
    [
        ("a\nB\nc\nd\ne\nf\n", "a\nb\nc\nd\ne\nF\n"),
        ("a\nB\nc\nd\ne\nf\n", "a\nX\nc\nd\ne\nf\n"),
        ("a\nb\nc\nd\ne\nf\ng\n", "z\na\nb\nc\nd\ne\nf\n"),
        ("a\nc\nd\ne\nf\n", "a\nb\nc\nd\nE\nf\n"),
    ],
)
def test_agrees_with_git(tmp_path: Path, yours: str, new: str) -> None:
    base = "a\nb\nc\nd\ne\nf\n"
    for name, text in (("base", base), ("yours", yours), ("new", new)):
        (tmp_path / name).write_text(text)
    names = ["-L", "yours", "-L", "base", "-L", "generated"]
    done = subprocess.run(
        ["git", "merge-file", "-p", *names, "yours", "base", "new"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    merged = merge(base, yours, new)
    assert merged.text == done.stdout
    assert merged.conflicts == done.returncode
