"""Times of Ascend's timelines: exact, whichever way they are read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilescope_trace.profile.ascend.events import ns_of, ns_of_usual
from tilescope_trace.profile.times import BadTimeError, ns_of_us


@given(st.integers(0, 2**63 - 1))
def test_text_with_three_decimals_is_exact(ns: int) -> None:
    text = f"{ns // 1000}.{ns % 1000:03d}"
    assert ns_of(text) == ns_of_us(text) == ns


@given(st.one_of(st.text(max_size=30), st.floats(), st.integers(), st.from_regex(r"\A-?\d{1,30}\.\d{1,6}\Z")))
def test_anything_else_is_read_as_decimals_are_or_is_no_time(time: str | float) -> None:
    try:
        found = ns_of(time)
    except BadTimeError:
        return
    assert -(2**63) < found < 2**63
    if isinstance(time, str):
        assert found == ns_of_us(time)


@pytest.mark.parametrize("time", ["9" * 5000 + ".123", "9223372036854775.808", "", "nan", "1e400", float("inf")])
def test_what_no_column_holds_is_no_time(time: str | float) -> None:
    with pytest.raises(BadTimeError):
        ns_of(time)


def test_a_fraction_alone_is_a_time() -> None:
    assert ns_of(".123") == 123


USUAL = st.integers(0, 2**63 - 1).map(lambda ns: f"{ns // 1000}.{ns % 1000:03d}")
ODD = st.one_of(
    st.floats(allow_nan=False),
    st.text("0123456789.,-+ _e\u0663", max_size=12),
    st.sampled_from(["", "1,2.345", "00.123", "1.234.567", "9223372036854775.808", " 1.234", "1e5.123", "-1.234"]),
)


@given(st.lists(USUAL, min_size=1))
def test_usual_times_are_read_together(times: list[str]) -> None:
    expected = [ns_of(time) for time in times]
    found = ns_of_usual(times)
    assert found == expected or (found is None and any(time.startswith("0.") for time in times))


@given(st.lists(st.one_of(USUAL, ODD)))
def test_times_read_together_are_what_each_is_alone(times: list[str | float]) -> None:
    found = ns_of_usual(times)
    assert found is None or found == [ns_of(time) for time in times]
