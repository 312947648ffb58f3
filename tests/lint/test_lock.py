"""Golden facts: kept in a file, and compared."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilescope.schemas import SCHEMAS
from tilescope_server.lint.lock.compare import changes, text
from tilescope_server.lint.lock.facts import Entry
from tilescope_server.lint.lock.file import Lock, read, written
from tilescope_trace.errors import UsageError

from .conftest import CLEAN, GUESSED, Ran, Write, run

GEMM = Path(__file__).parents[1] / "kernels" / "good_gemm.py"
OFF = ("--pass-config", "tl.disable_warp_specialized=true")


def lock(*arguments: str | Path) -> Ran:
    return run("lock", *arguments, "--no-device-compile", "--cache-dir", ".cache")


def test_a_pass_config_that_turns_warp_specialization_off_is_caught(write: Write) -> None:
    pytest.importorskip("tilelang")
    shutil.copy(GEMM, "gemm.py")
    write("scale.py", CLEAN)
    assert lock("--check").code == 2  # there is no lock file yet
    made = lock("gemm.py", "scale.py", "--target", "cuda:sm_90a")
    assert (made.code, made.out) == (0, "")
    golden = Path("tilescope.lock").read_text()
    for line in (
        '"threads" = "128 -> 256"',
        '"copy A -> A_s" = "tma_load"',
        '"gemm A_s, B_s -> C_l" = "wgmma; instruction wgmma m64n64k16"',
        '"shared bytes" = "16384 + 32"',
    ):
        assert golden.count(line) == 1, golden
    assert "swizzle 64B" in golden
    same = lock("--check")
    assert (same.code, same.out) == (0, "")

    changed = lock("--check", *OFF, "--format", "json")
    assert changed.code == 1
    jsonschema.validate(changed.json, SCHEMAS["lock"]())
    (gemm,) = [one for one in changed.json["changes"] if one["file"] == "gemm.py"]
    facts = {one["fact"]: (one["before"], one["after"]) for one in gemm["facts"]}
    assert facts["threads"] == ("128 -> 256", "128")
    assert facts["copy A -> A_s"][0] == "tma_load"
    assert facts["copy A -> A_s"][1].startswith("cp_async")
    assert "threads: was 128 -> 256, is 128" in lock("--check", *OFF).out
    before = ("--before-python", sys.executable)
    told = lock("--check", "-k", gemm["kernel"], *OFF, *before).out
    assert re.search(r"^  first pass that differs: \w+", told, re.MULTILINE), told
    assert lock(*before).code == lock("--check", "--before-python", "nothing/python").code == 2
    assert Path("tilescope.lock").read_text() == golden

    assert lock("--update", "-k", "scale", *OFF).code == 0
    partly = Path("tilescope.lock").read_text()
    assert '"threads" = "128 -> 256"' in partly
    assert partly.count("disable_warp_specialized") == 1
    assert lock("--update", "-k", "nothing", *OFF).code == 2
    assert lock("--update", *OFF).code == 0
    assert lock("--check", *OFF).code == 0
    Path("scale.py").unlink()
    assert lock("--check", "gemm.py", *OFF).code == 0
    gone = lock("--check", *OFF)
    assert (gone.code, gone.out.endswith("is in the lock and no longer there\n")) == (1, True)


def test_assumed_arguments_are_marked_and_told(write: Write) -> None:
    pytest.importorskip("tilelang")
    write("guessed.py", GUESSED)
    write("scale.py", CLEAN)
    made = lock("guessed.py", "scale.py", "--target", "cuda:sm_90a")
    said = "1 of 2 kernels compiled with assumed arguments (N): give values"
    assert said in made.err.splitlines()[-1]
    assert Path("tilescope.lock").read_text().count('"assumed" = "N"') == 1
    same = lock("--check", "--format", "json")
    assert (same.code, same.json["kernels"], same.json["assumed"]) == (0, 2, 1)
    jsonschema.validate(same.json, SCHEMAS["lock"]())
    assert said in lock("--check").err

    write("guessed.py", GUESSED.replace("@tilelang.jit", "# tilescope: N=1024\n@tilelang.jit"))
    given = lock("--check")
    assert (given.code, given.out.splitlines()[1:]) == (1, ["  assumed: was N, is no more"])
    assert "assumed" not in given.err
    assert lock("--update").code == 0
    assert "assumed" not in Path("tilescope.lock").read_text()


def entry(arguments: str = "M=1", **facts: str) -> Entry:
    return Entry(
        "k.py", "f.main", "cuda:sm_90a", arguments, {name.replace("_", " "): one for name, one in facts.items()}
    )


def test_changes_are_told_by_fact() -> None:
    before = [entry(shared_bytes="1000 + 24", gemm="wgmma", gone="x", registers="90")]
    after = [entry(shared_bytes="1300 + 24", gemm="mma", new="y")]
    assert text(changes(before, after)) == (
        "k.py: f.main for cuda:sm_90a with M=1:\n"
        "  shared bytes: was 1000 + 24, is 1300 + 24 (+29 %)\n"
        "  gemm: was wgmma, is mma\n"
        "  gone: was x, is no more\n"
        "  new: is now y\n"
    )
    assert changes(before, before) == ()
    # Without an assembler nothing is known of registers.
    assert changes([entry(registers="90")], [entry()]) == ()
    (registers,) = changes([entry(registers="90")], [entry(registers="99")])[0].facts
    assert (registers.before, registers.after) == ("90", "99")


def test_other_arguments_are_a_change_of_the_same_kernel() -> None:
    (change,) = changes([entry("M=1", gemm="mma")], [entry("M=2", gemm="mma")])
    assert [(one.fact, one.before, one.after) for one in change.facts] == [("arguments", "M=1", "M=2")]
    kinds = [one.kind for one in changes([entry("M=1")], [entry("M=1"), entry("M=2")])]
    assert kinds == ["new"]
    assert [one.kind for one in changes([entry("M=1"), entry("M=2")], [entry("M=2")])] == ["gone"]


words = st.text(max_size=20)
entries = st.builds(
    Entry, words, words, words, words, st.dictionaries(words, words, min_size=1, max_size=4), st.integers(1, 3)
)


@given(st.lists(entries, max_size=6, unique_by=lambda one: one.key))
@settings(max_examples=60, deadline=None)
def test_a_lock_file_comes_back_as_it_was(tmp_path_factory: pytest.TempPathFactory, found: list[Entry]) -> None:
    # A second specialization of the same arguments stands beside the first.
    kept = [one for one in found if one.number == 1]
    lock = Lock("0.1.15", ("a", "b"), ("cuda:sm_90a",), "all", tuple(sorted(kept, key=lambda one: one.key)))
    path = tmp_path_factory.mktemp("lock") / "tilescope.lock"
    content = written(lock)
    try:
        content.encode()
    except UnicodeEncodeError:
        return
    path.write_bytes(content.encode())
    assert read(path) == lock


@pytest.mark.parametrize(
    "content",
    [
        "",
        "version = 2",
        "version = 1\n<<<<<<< ours\n",
        "version = 1\nfacts = 3",
        "version = 1\npaths = 3",
        "version = 1\nspecialization = 'some'",
        "version = 1\nspecialization = ['all']",
        "\xff",
    ],
)
def test_what_is_no_lock_file_is_told(tmp_path: Path, content: str) -> None:
    path = tmp_path / "tilescope.lock"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(UsageError, match=r"lock file|tilescope\.lock: "):
        read(path)
