"""The table of passes covers what the compiler runs, and its page is up to date."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilescope_trace.errors import UsageError
from tilescope_trace.passes import PASSES, explained, find
from tilescope_trace.passes.docs import page
from tilescope_trace.passes.model import EVERY
from tilescope_trace.store.read import open_recording

PAGE = Path(__file__).parents[2] / "docs" / "passes.md"


def test_every_pass_of_every_target_has_an_entry(recorded: dict[str, Path]) -> None:
    seen: dict[str, set[str]] = {}
    for path in recorded.values():
        with open_recording(path) as recording:
            assert recording.info.status == "ok", path
            pipeline = recording.info.kernel.target.partition(":")[0]
            for record in recording.passes:
                seen.setdefault(record.name, set()).add(pipeline)
    assert set().union(*seen.values()) == set(EVERY)
    assert sorted(seen.keys() - PASSES.keys()) == []
    wrong = {name: pipelines for name, pipelines in seen.items() if not pipelines <= set(PASSES[name].pipelines)}
    assert wrong == {}


def test_entries_of_passes_that_always_run_name_the_targets_that_run_them(recorded: dict[str, Path]) -> None:
    seen: dict[str, set[str]] = {}
    for path in recorded.values():
        with open_recording(path) as recording:
            for record in recording.passes:
                seen.setdefault(record.name, set()).add(recording.info.kernel.target.partition(":")[0])
    missing = {
        name: set(info.pipelines) - seen.get(name, set())
        for name, info in PASSES.items()
        if not info.when and set(info.pipelines) - seen.get(name, set())
    }
    assert missing == {}


def test_the_page_is_generated_from_the_table() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run make docs"


@pytest.mark.parametrize("text", ["LowerTileOp", "tl.LowerTileOp", "lowertileop", "tl.LowerTileOp#3"])
def test_a_pass_is_found_by_what_people_call_it(text: str) -> None:
    assert find(text).name == "tl.LowerTileOp"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Simplify", r"ambiguous: .*tl\.Simplify.*tirx\.Simplify"),
        ("LowerTileOps", r"Did you mean tl\.LowerTileOp"),
        ("§", "docs/passes.md"),
    ],
)
def test_what_is_no_pass_is_said_with_what_is_near(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        find(text)


def test_passes_of_other_versions_are_known_by_their_short_name() -> None:
    assert explained("tl.StorageRewrite") is PASSES["tir.StorageRewrite"]
    assert explained("tl.LayoutReducer") is None
