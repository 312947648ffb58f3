"""Whatever is done to a profile: it is read, or one message names it, and says what was expected."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tilescope_trace.profile.errors import ProfileError
from tilescope_trace.profile.load import load_profiles
from tilescope_trace.profile.model import Profile

from .cuda_files import DATA, content
from .test_nsight_systems import database

SMALL = [
    "torch_profiler_h200_gemm_relu.json",
    "cupti_python_kernel_activity.json",
    "ncu_details.csv",
    "ncu_source_cuda_only.csv",
    "proton_tree.hatchet",
    "proton_pc.hatchet",
    "proton_trace.chrome_trace",
    "proton_intra.chrome_trace",
    "iket_all.trace.json.gz",
    "iket_all.pftrace.gz",
]
LARGE = ["ncu_raw.csv.gz", "ncu_source_sass_fixed_line.csv.gz", "ncu_source_cuda_sass_no_line.csv.gz"]
JSON = [name for name in SMALL if not name.endswith((".csv", ".pftrace.gz"))]

often = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def outcome(path: Path, data: bytes) -> tuple[Profile, ...] | str:
    """What reading these bytes comes to: profiles, or a message of one line that names the file."""
    path.write_bytes(data)
    try:
        return load_profiles(path)
    except ProfileError as error:
        message = str(error)
        assert str(path) in message
        assert "expected" in message
        assert "Traceback" not in message
        return message


@pytest.mark.parametrize("name", SMALL + LARGE)
@often
@given(data=st.data())
def test_a_file_that_is_cut_off(tmp_path: Path, name: str, data: st.DataObject) -> None:
    whole = content(name)
    cut = data.draw(st.integers(0, len(whole) - 2))
    found = outcome(tmp_path / "profile", whole[:cut])
    if not name.endswith((".csv", ".csv.gz", ".pftrace.gz")):
        assert isinstance(found, str), "a JSON file that is cut off cannot be whole"


@pytest.mark.parametrize("name", SMALL)
@often
@given(data=st.data())
def test_bytes_that_are_changed(tmp_path: Path, name: str, data: st.DataObject) -> None:
    changed = bytearray(content(name))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(changed) - 1))
        changed[at : at + data.draw(st.integers(0, 6))] = data.draw(st.binary(max_size=6))
    outcome(tmp_path / "profile", bytes(changed))


@pytest.mark.parametrize("name", JSON)
@often
@given(data=st.data(), other=st.sampled_from([None, True, -1, 1e300, "text", [], {}, [{}], 2**70]))
def test_values_of_another_type(tmp_path: Path, name: str, data: st.DataObject, other: Any) -> None:
    document = json.loads(content(name))
    places = list(_places(document))
    for holder, key in data.draw(st.lists(st.sampled_from(places), min_size=1, max_size=3)):
        if isinstance(holder, dict) or key < len(holder):
            holder[key] = other
    outcome(tmp_path / "profile", json.dumps(document).encode())


def _places(value: Any) -> Any:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield value, key
        yield from _places(inner)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    outcome(tmp_path_factory.mktemp("any") / "profile", data)


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", "{", '"Kernel Name"', "a,b\n1,2\n", "\n  {"])
def test_what_is_no_profile(tmp_path: Path, text: str) -> None:
    assert isinstance(outcome(tmp_path / "profile", text.encode()), str)


def test_an_empty_file_says_that_it_is(tmp_path: Path) -> None:
    message = outcome(tmp_path / "trace.json", b"")
    assert isinstance(message, str)
    assert message.startswith(f"{tmp_path / 'trace.json'}: the file is empty; expected one of: ")


def test_a_compressed_file_that_is_cut_off(tmp_path: Path) -> None:
    packed = (DATA / "iket_pipe.trace.json.gz").read_bytes()
    message = outcome(tmp_path / "trace.json.gz", packed[: len(packed) // 2])
    assert isinstance(message, str)
    assert "its compression is damaged" in message


@pytest.mark.parametrize("pack", [gzip.compress, lambda data: __import__("bz2").compress(data)])
def test_packed_files_read_like_plain_ones(tmp_path: Path, pack: Any) -> None:
    name = "cupti_python_kernel_activity.json"
    packed = outcome(tmp_path / "packed", pack(content(name)))
    plain = load_profiles(DATA / name)
    assert isinstance(packed, tuple)
    assert packed[0].launches == plain[0].launches


def test_a_folder_gives_every_profile_in_it(tmp_path: Path) -> None:
    inner = tmp_path / "rank0"
    inner.mkdir()
    for name in ("proton_tree.hatchet", "cupti_python_kernel_activity.json"):
        (inner / name).write_bytes(content(name))
    (tmp_path / "notes.txt").write_text("nothing to read here")
    assert sorted(profile.format for profile in load_profiles(tmp_path)) == ["CUPTI activity records", "proton tree"]


def test_a_folder_without_profiles(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing to read here")
    with pytest.raises(ProfileError, match="no file in this folder is of a known format"):
        load_profiles(tmp_path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="there is no such file or folder"):
        load_profiles(tmp_path / "trace.json")


def test_a_perfetto_trace_without_the_package_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("perfetto", "perfetto.protos.perfetto.trace.perfetto_trace_pb2"):
        monkeypatch.setitem(sys.modules, name, None)
    message = outcome(tmp_path / "trace.pftrace", content("iket_all.pftrace.gz"))
    assert isinstance(message, str)
    assert 'pip install "tilescope[perfetto]"' in message


@often
@given(data=st.data())
def test_a_database_with_changed_bytes(tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "report.sqlite"
    path.unlink(missing_ok=True)
    changed = bytearray(database(path).read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(changed) - 1))
        changed[at : at + 16] = data.draw(st.binary(min_size=16, max_size=16))
    outcome(path, bytes(changed[: data.draw(st.integers(100, len(changed)))]))
