"""Results are used again as long as what they depend on is the same, and never longer."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tilescope.linting import Linter, found
from tilescope_server.lint.settings import Asked
from tilescope_trace.cache.store import ResultCache
from tilescope_trace.model import FileFacts

from .conftest import CLEAN, UNINITIALISED, Write, run

NEEDS = CLEAN.replace("import tilelang\n", "import tilelang\nfrom common import BLOCK\n").replace(
    "N=1024, block=128", "N, block=BLOCK"
)
USER = "from needs import scale\n\nscale(256)\n"


def checked(cache: Path, *targets: str) -> tuple[dict[str, bool], dict[str, str]]:
    """Of each file whether its result was kept, and the arguments of its kernel."""

    async def go() -> list[object]:
        asked = Asked(static=True, targets=targets)
        async with Linter(asked, python=None, jobs=1, cache=ResultCache(cache)) as linter:
            return list(await linter.check(found([Path()])))

    done = asyncio.run(go())
    arguments = {
        one.source.shown: " ".join(
            f"{name}={value.value}" for name, value in one.facts.kernels[0].specialization.args.items()
        )
        for one in done
        if one.facts.kernels
    }
    return {one.source.shown: one.cached for one in done if one.facts.kernels}, arguments


@pytest.fixture
def cache(write: Write, tmp_path: Path) -> Path:
    write("needs.py", NEEDS)
    write("other.py", CLEAN)
    write("common.py", "BLOCK = 128\n")
    cache = tmp_path.parent / f"{tmp_path.name}-cache"
    assert not any(checked(cache)[0].values())
    assert all(checked(cache)[0].values())
    return cache


def old(path: Path) -> None:
    """Date a file back, so that nothing is unsure about it."""
    os.utime(path, ns=(time.time_ns() - 10**12,) * 2)


def test_a_changed_import_costs_its_users_only(cache: Path, write: Write) -> None:
    write("common.py", "BLOCK = 64\n")
    kept, arguments = checked(cache)
    assert kept == {"needs.py": False, "other.py": True}
    assert "block=64" in arguments["needs.py"]


def test_a_file_that_was_just_written_in_two_runs_is_not_taken_for_the_same(
    cache: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tilescope_trace.cache.seen.CLOCK_NS", 10**12)
    assert all(checked(cache)[0].values())
    write("common.py", "BLOCK = 32\n")
    kept, arguments = checked(cache)
    assert kept == {"needs.py": False, "other.py": True}
    assert "block=32" in arguments["needs.py"]


def test_a_new_call_in_another_file_is_noticed(cache: Path, write: Write) -> None:
    old(write("user.py", USER))
    kept, arguments = checked(cache)
    assert kept == {"needs.py": False, "other.py": True}
    assert "N=256" in arguments["needs.py"]
    assert all(checked(cache)[0].values())
    old(write("user.py", USER.replace("256", "512")))
    kept, arguments = checked(cache)
    assert kept == {"needs.py": False, "other.py": True}
    assert "N=512" in arguments["needs.py"]
    Path("user.py").unlink()
    assert "N=512" not in checked(cache)[1]["needs.py"]


def test_a_new_module_that_stands_before_another_is_noticed(cache: Path, write: Write) -> None:
    Path("common.py").unlink()
    write("common/__init__.py", "BLOCK = 32\n")
    assert "block=32" in checked(cache)[1]["needs.py"]


def test_targets_and_configuration_are_part_of_what_is_asked(cache: Path, write: Write) -> None:
    assert not any(checked(cache, "metal")[0].values())
    assert all(checked(cache, "metal")[0].values())
    assert all(checked(cache)[0].values())
    write("tilescope.toml", "[[kernels]]\nfiles = 'other.py'\nargs = { N = 77 }\n")
    assert "N=77" in checked(cache)[1]["other.py"]


def test_touching_and_moving_a_project_keeps_its_results(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in tmp_path.glob("*.py"):
        old(path)
    assert all(checked(cache)[0].values())
    moved = tmp_path.parent / f"{tmp_path.name}-moved"
    tmp_path.rename(moved)
    try:
        monkeypatch.chdir(moved)
        assert all(checked(cache)[0].values())
    finally:
        monkeypatch.chdir("/")
        moved.rename(tmp_path)


def test_damage_costs_time_only(cache: Path) -> None:
    files = [path for path in cache.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} == {".facts", ".json"}
    for damage in (b"", b"{}", b"\xff" * 100):
        for path in files:
            path.write_bytes(damage)
        assert checked(cache)[1]["other.py"] == "N=1024 block=128"
    assert all(checked(cache)[0].values())


@pytest.mark.parametrize("name", ["file", "n" * 300])
def test_a_folder_that_cannot_be_used_is_no_error(write: Write, tmp_path: Path, name: str) -> None:
    # A name that is too long cannot even be looked at, like a folder that others may not enter.
    write("a.py", CLEAN)
    write("file", "")
    folder = tmp_path / name / "cache"
    assert not any(checked(folder)[0].values())
    assert run("lint", "a.py", "--static", "--cache-dir", folder).code == 0


def test_a_result_that_json_cannot_hold_is_not_kept(tmp_path: Path) -> None:
    cache = ResultCache(tmp_path / "cache")
    cache.put("ab", FileFacts("/w/a.py", "\udcff"), "/w")
    assert cache.get("ab", "/w") is None
    cache.put("ab", FileFacts("/w/a.py", "0.1.15"), "/w")
    assert cache.get("ab", "/w") == FileFacts("/w/a.py", "0.1.15")


def test_the_cache_has_a_bound(tmp_path: Path) -> None:
    cache = ResultCache(tmp_path, most_bytes=400)
    for number in range(5):
        cache.put(f"{number:064}", FileFacts(f"/w/{number}.py", None), "/w")
        os.utime(tmp_path / "00" / f"{number:064}.facts", (number, number))
    cache.get(f"{0:064}", "/w")
    assert cache.prune() > 0
    left = {path.stem[-1] for path in tmp_path.rglob("*.facts")}
    assert {"0", "4"} <= left < set("01234")
    assert cache.get(f"{0:064}", "/elsewhere") == FileFacts("/elsewhere/0.py", None)


@pytest.mark.skipif(sys.platform == "win32", reason="kills as Unix does")
def test_a_killed_run_goes_on_where_it_was(write: Write, tmp_path: Path) -> None:
    pytest.importorskip("tilelang")
    for number in range(3):
        write(f"k{number}.py", UNINITIALISED)
    cache = tmp_path / ".cache"
    command = [sys.executable, "-m", "tilescope", "lint", "-j", "1", "--target", "c", "--cache-dir", str(cache)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while not list(cache.rglob("*.facts")) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    done = len(list(cache.rglob("*.facts")))
    assert 1 <= done <= 3
    ran = run("lint", "--target", "c", "--format", "json", "--cache-dir", cache)
    assert ran.code == 1
    assert [one["file"] for one in ran.json["findings"]] == [f"k{number}.py" for number in range(3)]
    assert not list(cache.rglob("*.part"))
