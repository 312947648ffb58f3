"""A generated source, its file and its base, over runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilescope_worker.editing.files import resolve

GENERATED = "a\nb\nc\nd\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "kernel.cu"
    assert resolve(path, GENERATED).outcome == "written"
    return path


def test_an_untouched_file_follows_the_generator(file: Path) -> None:
    assert resolve(file, GENERATED).outcome == "unchanged"
    assert resolve(file, "new\n").outcome == "regenerated"
    assert file.read_text() == "new\n"
    assert resolve(file, "new\n").outcome == "unchanged"


def test_edits_stay_and_are_compiled(file: Path) -> None:
    file.write_text("a\nmine\nc\nd\n")
    for _ in range(2):
        resolved = resolve(file, GENERATED)
        assert (resolved.outcome, resolved.text) == ("edited", "a\nmine\nc\nd\n")


def test_changes_that_lie_apart_are_merged_once(file: Path) -> None:
    file.write_text("mine\nb\nc\nd\n")
    resolved = resolve(file, "a\nb\nc\nD\n")
    assert (resolved.outcome, resolved.text) == ("merged", "mine\nb\nc\nD\n")
    assert file.read_text() == resolved.text
    assert resolve(file, "a\nb\nc\nD\n").outcome == "edited"


def test_conflicts_keep_both_until_they_are_resolved(file: Path) -> None:
    file.write_text("mine\nb\nc\nd\n")
    new = "theirs\nb\nc\nd\n"
    resolved = resolve(file, new)
    assert (resolved.outcome, resolved.text, resolved.conflicts) == ("conflict", new, 1)
    assert file.read_text() == "<<<<<<< yours\nmine\n=======\ntheirs\n>>>>>>> generated\nb\nc\nd\n"
    again = resolve(file, new)
    assert (again.outcome, again.text) == ("unresolved", new)
    file.write_text("both\nb\nc\nd\n")
    assert resolve(file, new).outcome == "edited"


def test_the_same_change_on_both_sides_is_none(file: Path) -> None:
    file.write_text("new\n")
    assert resolve(file, "new\n").outcome == "unchanged"
    assert resolve(file, "newer\n").outcome == "regenerated"


def test_a_file_without_its_base_is_the_users(file: Path) -> None:
    (file.parent / ".base" / file.name).unlink()
    file.write_text("mine\n")
    assert resolve(file, GENERATED).text == "mine\n"
