"""The captured file: sorted, one line each, merged without loss, and never trusted blindly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilescope.schemas import SCHEMAS
from tilescope_trace.captured.files import file_for, write
from tilescope_trace.captured.format import CapturedFileError, parse, render
from tilescope_trace.captured.keep import named
from tilescope_trace.captured.merge import merge
from tilescope_trace.captured.model import FILE, Captured
from tilescope_trace.captured.parts import Note, Sight, read_parts, sights

ROOT = Path("/project")
GPU = Path(__file__).parent / "gpu"

ENTRIES = st.builds(
    Captured,
    args=st.dictionaries(st.sampled_from("MNK"), st.integers(1, 9), max_size=3),
    target=st.sampled_from([None, "c", "cuda:sm_90a"]),
    caller=st.sampled_from([None, "a.py:3"]),
    pass_configs=st.sampled_from([{}, {"tl.x": True}]),
    compile_flags=st.sampled_from([(), ("-g",)]),
    tuned=st.sampled_from([None, "winner", "tried"]),
)
KERNELS = st.dictionaries(
    st.sampled_from(["a.py", "b/c.py"]),
    st.dictionaries(st.sampled_from(["f", "g.h"]), st.lists(ENTRIES, min_size=1, max_size=4), min_size=1, max_size=2),
    max_size=2,
)


def sight(args: dict[str, Any], times: int = 1, tuned: Any = None, qualname: str = "f", target: str = "c") -> Sight:
    return Sight("/project/a.py", qualname, args, target, None, {}, (), tuned, ("compiled",), times, None)


@settings(max_examples=30)
@given(KERNELS)
def test_what_is_written_is_read_back_line_by_line(kernels: dict[str, dict[str, list[Captured]]]) -> None:
    text = render(kernels)
    document = json.loads(text)
    jsonschema.validate(document, SCHEMAS["captured"]())
    found = parse(text, FILE)
    assert render(found.kernels) == text
    lines = text.split("\n")
    for (file, qualname), numbers in found.lines.items():
        for entry, number in zip(document["kernels"][file][qualname], numbers, strict=True):
            assert json.loads(lines[number - 1].strip().rstrip(",")) == entry


@settings(max_examples=30)
@given(KERNELS, st.randoms())
def test_the_text_does_not_depend_on_the_order(kernels: dict[str, dict[str, list[Captured]]], random: Any) -> None:
    shuffled = {
        file: {name: random.sample(entries, len(entries)) for name, entries in inner.items()}
        for file, inner in sorted(kernels.items(), reverse=True)
    }
    assert render(shuffled) == render(kernels)


def test_numbers_are_sorted_by_size() -> None:
    text = render({"a.py": {"f": [Captured({"M": size}) for size in (128, 16, 1024)]}})
    assert [json.loads(line.strip().rstrip(","))["args"]["M"] for line in text.split("\n") if '"args"' in line] == [
        16,
        128,
        1024,
    ]


def test_a_run_that_is_repeated_changes_nothing() -> None:
    seen = [sight({"M": size}) for size in range(20)]
    once = merge({}, seen, ROOT, 8)
    assert render(merge(once.kernels, seen, ROOT, 8).kernels) == render(once.kernels)
    assert once.dropped == {"a.py: f": 12}


def test_another_run_adds_to_the_file() -> None:
    first = merge({}, [sight({"M": 1})], ROOT, 8).kernels
    both = merge(first, [sight({"M": 2}), sight({"M": 1}, target="metal")], ROOT, 8).kernels
    assert {(entry.args["M"], entry.target) for entry in both["a.py"]["f"]} == {(1, "c"), (2, "c"), (1, "metal")}


def test_the_cap_keeps_choices_then_the_frequent_then_the_new() -> None:
    before = {"a.py": {"f": (Captured({"M": 100}, "c"), Captured({"M": 101}, "c"))}}
    run = [sight({"M": 1}, tuned="tried"), sight({"M": 2}), sight({"M": 3}, times=9), sight({"M": 4}, tuned="winner")]
    kept = merge(before, run, ROOT, 3)
    assert [entry.args["M"] for entry in kept.kernels["a.py"]["f"]] == [4, 3, 2]
    assert kept.seen == 3
    assert kept.dropped == {"a.py: f": 3}


def test_a_winner_stays_one_when_it_is_only_used_again() -> None:
    before = merge({}, [sight({"M": 4}, tuned="winner")], ROOT, 8).kernels
    (entry,) = merge(before, [sight({"M": 4})], ROOT, 8).kernels["a.py"]["f"]
    assert entry.tuned == "winner"


def note(outcome: Any, **more: Any) -> Note:
    return Note("/project/a.py", "f", more.pop("args", {"M": 1}), outcome, **more)


def test_what_was_built_and_then_compiled_is_one_sight_with_the_compiles_target() -> None:
    (seen,) = sights(
        [
            note("built", target={"text": "auto"}, caller=("/project/b.py", 3)),
            note("compiled", target={"kind": "cuda", "arch": "sm_90a"}, count=2),
        ]
    )
    assert (seen.target, seen.caller, seen.times, seen.outcomes) == (
        "cuda:sm_90a",
        ("/project/b.py", 3),
        2,
        ("compiled",),
    )


def test_a_kernel_that_failed_for_want_of_a_device_is_seen_without_target() -> None:
    (seen,) = sights([note("built"), note("failed", target={"text": "auto"})])
    assert (seen.target, seen.outcomes) == (None, ("failed",))


def test_the_autotuners_choice_and_what_it_tried() -> None:
    tried = note("compiled", args={"M": 1}, tuning=True)
    chosen = note("compiled", args={"M": 2}, tuning=True)
    winner = note("winner", args={"M": 2})
    plain = note("compiled", args={"M": 3})
    assert [one.tuned for one in sights([tried, chosen, plain, winner])] == ["tried", "winner", None]


@pytest.mark.parametrize(("run", "outcome"), [("tuning", "compiled"), ("again", "winner")])
def test_a_tuning_on_a_gpu_and_its_result_from_disk(run: str, outcome: str) -> None:
    # Notes of an autotuned GEMM and an elementwise kernel on an H200; the second run found both on disk.
    seen = [named(one, ["matmul.main", "scale"]) for one in sights(read_parts(GPU / run))]
    kernels = merge({}, seen, Path("/tmp"), 8).kernels["gpu.py"]
    assert list(kernels) == ["matmul.main", "scale"]
    first, *others = kernels["matmul.main"]
    sizes = {"M": 1024, "N": 1024, "K": 1024}
    assert (first.args, first.tuned, first.target) == (
        {**sizes, "block_M": 64, "threads": 128},
        "winner",
        "cuda:sm_90a",
    )
    assert outcome in seen[0].outcomes
    assert [one.tuned for one in others] == (["tried", "tried"] if run == "tuning" else [])
    assert [one.pass_configs for one in others if one.args["threads"] == 256] == (
        [{"tl.disable_warp_specialized": True}] if run == "tuning" else []
    )


def test_the_part_of_a_killed_process_is_read_up_to_the_line_it_was_writing(tmp_path: Path) -> None:
    whole = json.dumps({"file": "/a.py", "qualname": "f", "args": {"M": 1}, "outcome": "compiled"})
    (tmp_path / "12.jsonl").write_text(f'{whole}\n{whole[:-9]}\n{whole}\n{{"file": 1}}\n{whole[:20]}')
    assert [one.args for one in read_parts(tmp_path)] == [{"M": 1}, {"M": 1}]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "not JSON"),
        ("<<<<<<< HEAD\n{}", f"{FILE}:1: not JSON"),
        ("[]", "its schema is None"),
        ("{}", "schema"),
        ('{"schema": "tilescope.captured/9", "kernels": {}}', "tilescope.captured/9"),
        ('{"schema": "tilescope.captured/1"}', "kernels"),
        ('{"schema": "tilescope.captured/1", "kernels": {"a.py": []}}', "a.py"),
        ('{"schema": "tilescope.captured/1", "kernels": {"a.py": {"f": [{"args": 3}]}}}', "args"),
    ],
)
def test_a_bad_file_is_told_in_one_message(text: str, words: str) -> None:
    with pytest.raises(CapturedFileError) as caught:
        parse(text, FILE)
    assert FILE in str(caught.value)
    assert "\n" not in str(caught.value)


def test_it_is_found_from_the_kernels_folder_up_to_the_projects_top(tmp_path: Path) -> None:
    inside = tmp_path / "top/src"
    inside.mkdir(parents=True)
    (tmp_path / FILE).write_text("{}")
    (tmp_path / "top/setup.py").touch()
    assert file_for(str(inside / "k.py")) is None
    write(tmp_path / "top" / FILE, {})
    assert file_for(str(inside / "k.py")) == tmp_path / "top" / FILE
    write(inside / FILE, {})
    assert file_for(str(inside / "k.py")) == inside / FILE
