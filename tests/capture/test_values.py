"""Values of a running program survive the way through the captured file, or are described."""

from __future__ import annotations

import enum
import json
import math
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tilescope_trace.captured.values import described, text_of, value_of
from tilescope_trace.source.values import UNKNOWN
from tilescope_worker.capture.values import LONGEST, plain_configs, tagged

LITERALS = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(LITERALS)
def test_literals_come_back_as_they_were(value: Any) -> None:
    captured = json.loads(json.dumps(tagged(value)))
    if value_of(captured) is not UNKNOWN:
        assert repr(value_of(captured)) == repr(value)
    else:  # a text without an encoding, or nested deeper than anybody writes
        assert "described" in json.dumps(captured) or "\\" in json.dumps(captured)


def test_a_torch_dtype_is_looked_up_in_the_files_own_torch() -> None:
    captured = tagged(torch.bfloat16)
    assert captured == {"dtype": "torch.bfloat16"}
    assert value_of(captured) == "bfloat16"
    assert text_of(captured, {"torch": "th"}.get) == "th.bfloat16"
    assert text_of(captured, {}.get) is None


def test_a_tile_language_dtype_is_an_object_for_the_file_that_imports_it() -> None:
    assert text_of({"dtype": "float16"}, {"tilelang.language": "T"}.get) == "T.float16"
    assert value_of({"dtype": "float16"}) == "float16"


class Colour(enum.IntEnum):
    RED = 1


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (math.gcd, "function math.gcd"),
        (dict, "class builtins.dict"),
        (torch.zeros(2, 3), "tensor torch.float32 [2, 3]"),
        (Colour.RED, "Colour"),
        ("x" * (LONGEST + 1), "builtins.str"),
        (range(3), "builtins.range"),
    ],
)
def test_what_is_no_literal_is_described_the_same_way_in_every_run(value: Any, words: str) -> None:
    captured = tagged(value)
    assert words in (described(captured) or "")
    assert value_of(captured) is UNKNOWN


def test_a_list_with_something_that_is_no_literal_is_none_either() -> None:
    assert value_of(tagged([1, print])) is UNKNOWN
    assert value_of(tagged((1, {"a": print}))) is UNKNOWN


@pytest.mark.parametrize("value", [math.inf, -math.inf, math.nan])
def test_numbers_that_json_lacks_are_kept_apart(value: float) -> None:
    assert tagged(value) == {"float": repr(value)}
    assert value_of(tagged(value)) is UNKNOWN  # a kernel cannot be asked for by a literal of it


def test_pass_configs_have_text_keys() -> None:
    class Key(str, enum.Enum):
        OFF = "tl.off"

    assert plain_configs({Key.OFF: True, "tl.flags": ("-g",)}) == {"tl.off": True, "tl.flags": ["-g"]}
    assert plain_configs(None) == {}


@pytest.mark.parametrize("text", ["__import__('os')", "a.b(c)", "", "torch."])
def test_a_dtype_that_is_no_name_is_not_evaluated(text: str) -> None:
    assert value_of({"dtype": text}) is UNKNOWN
