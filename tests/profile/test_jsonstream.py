"""Arrays of JSON files in pieces: whatever the elements hold, and wherever the pieces end."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilescope_trace.profile.errors import ProfileError
from tilescope_trace.profile.jsonstream import PIECE_BYTES, ArrayStream
from tilescope_trace.profile.source import Source
from tilescope_trace.profile.times import BadTimeError, ns_of_us

scalars = (
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text() | st.sampled_from(["},{", "}]", '"', "\\"])
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4)
)
elements = st.lists(st.dictionaries(st.text(), values, max_size=4), max_size=12)


def read(path: Path, piece: int = PIECE_BYTES) -> tuple[list[Any], dict[str, Any], dict[str, Any]]:
    source = Source(path)
    with source.open() as stream:
        array: ArrayStream[dict[str, Any]] = ArrayStream(source, stream, "events", dict[str, Any], piece)
        return list(array), array.header, array.trailer


@settings(max_examples=60, deadline=None)
@given(elements=elements, indent=st.sampled_from([None, 0, 2]), piece=st.integers(1, 64), listed=st.booleans())
def test_elements_are_those_of_the_array(
    tmp_path_factory: pytest.TempPathFactory, elements: list[Any], indent: int | None, piece: int, listed: bool
) -> None:
    path = tmp_path_factory.mktemp("stream") / "trace.json"
    document = elements if listed else {"a": [{"events": 1}], "events": elements, "b": {"c": 2}}
    # Blanks in front of the elements fill the first piece, which is a large one: the others end inside them.
    start = "[" if listed else '"events": ['
    text = json.dumps(document, indent=indent)
    path.write_text(text.replace(start, start + " " * PIECE_BYTES, 1))
    found, header, trailer = read(path, piece)
    assert found == elements
    assert (header, trailer) == (({}, {}) if listed else ({"a": [{"events": 1}]}, {"b": {"c": 2}}))


def test_lists_of_objects_inside_elements_end_no_element(tmp_path: Path) -> None:
    path = tmp_path / "trace.json.gz"
    elements = [{"inner": [{"n": n} for n in range(5000)], "at": at} for at in range(60)]
    path.write_bytes(gzip.compress(json.dumps({"events": elements}).encode()))
    assert read(path, 4096)[0] == elements


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"events": [{"a": 1}', "behind byte"),
        ('{"events": [{"a": 1}, {"b": ', "behind byte"),
        ('{"events": [', "the file ends within the array"),
        ('{"other": []}', 'no "events"'),
        ('{"events": {"a": 1}}', 'no "events"'),
        ("nothing of this kind", 'no "events"'),
        ('{"events": [1]}', "Expected"),
    ],
)
def test_a_damaged_file_is_named_with_the_place(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "trace.json"
    path.write_text(text)
    with pytest.raises(ProfileError) as caught:
        read(path)
    assert str(path) in str(caught.value)
    assert says in str(caught.value)
    assert "expected" in str(caught.value)


@given(st.integers(-(10**18), 10**18))
def test_times_are_exact_to_the_nanosecond(ns: int) -> None:
    whole, part = divmod(abs(ns), 1000)
    assert ns_of_us(f"{'-' if ns < 0 else ''}{whole}.{part:03d}\t") == ns


@pytest.mark.parametrize("text", ["", "NaN", "Infinity", "1e400", "1e16", "soon"])
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(BadTimeError):
        ns_of_us(text)
