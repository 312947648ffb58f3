"""Events of Ascend's timelines. Nearly all their times are µs as text with three decimals, which makes whole
nanoseconds without decimal arithmetic; a trace has a million of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from tilescope_trace.profile.chrome import Identifier
from tilescope_trace.profile.times import BadTimeError, ns_of_us

_USUAL_LENGTH = 20
"""Characters of a time of day in µs with three decimals, until the year 2262."""
_LARGEST_US = 2**53
"""Beyond it a float of µs has no ones, let alone decimals."""
_OTHER_DECIMALS = re.compile(r"\.(?!\d{3},)")
_WHOLE_NUMBERS = msgspec.json.Decoder(list[int])
_NO_ARGS = msgspec.Raw(b"{}")


class TimelineEvent(msgspec.Struct, gc=False):
    """One event, with its times as written (µs) and its arguments undecoded."""

    ph: str = ""
    cat: str | None = None
    name: str | int | float | None = ""
    pid: Identifier = None
    tid: Identifier = None
    ts: str | int | float = 0
    dur: str | int | float = 0
    id: Identifier = None
    args: msgspec.Raw = _NO_ARGS


def ns_of(time: str | int | float) -> int:
    """Nanoseconds of a time in µs. Raises BadTimeError."""
    if isinstance(time, str):
        if time[-4:-3] == "." and len(time) <= _USUAL_LENGTH and (digits := time.replace(".", "", 1)).isdecimal():
            ns = int(digits)
            if ns < 2**63:
                return ns
        return ns_of_us(time)
    if -_LARGEST_US < time < _LARGEST_US:
        return round(time * 1000)
    raise BadTimeError(f"{time!s:.40} is no time in µs")


def ns_of_usual(times: Sequence[str | int | float]) -> list[int] | None:
    """What `ns_of` gives for each of ``times``, at half the cost, where all are text with three decimals as nearly
    always; None where one is not, or is no time."""
    try:
        text = ",".join(times) + ","  # type: ignore[arg-type]
    except TypeError:
        return None
    digits = text.replace(".", "")
    if text.count(".") != len(times) or _OTHER_DECIMALS.search(text) or not digits.replace(",", "").isdecimal():
        return None
    try:
        found = _WHOLE_NUMBERS.decode(f"[{digits[:-1]}]")
    except msgspec.MsgspecError:
        return None
    # Only text with a comma in it makes more numbers than there are times.
    return found if len(found) == len(times) and max(found) < 2**63 else None
