"""The values of a fact that differs, as `tilescope facts` would say them."""

from __future__ import annotations

from itertools import zip_longest

from tilescope_trace.differences import Difference
from tilescope_trace.model import Json

from .resources import percent


def told_values(one: Difference) -> tuple[Json, ...]:
    """One value for each variant: shares in percent, upper bounds as such, others as they are."""
    share = one.fact == "occupancy"
    return tuple(_told(value, share, bool(bound)) for value, bound in zip_longest(one.values, one.at_most))


def _told(value: Json, share: bool, bound: bool) -> Json:
    if value is None or not (share or bound):
        return value
    text = percent(value) if share and isinstance(value, (int, float)) else str(value)
    return f"at most {text}" if bound else text
