"""Events of the Chrome trace format, as its many writers spell them.

Trace Event Format, Google, "Complete events" and "Metadata events".
"""

from __future__ import annotations

from decimal import Decimal

import msgspec

from .errors import ProfileError
from .source import Source
from .times import BadTimeError, ns_of_us

TRACE_EVENTS = "traceEvents"

NO_ARGS = msgspec.Raw()

_DIGITS = 15
"""Whole digits of a time in µs that surely fit in a column as ns: others are looked at closer."""

Identifier = int | str | float | None


class ChromeEvent(msgspec.Struct, gc=False):
    """One event. Times are in µs with their decimals as written, also where they stand in quotes; ``args`` is left
    undecoded, since most are never looked at."""

    ph: str = ""
    cat: str | None = None
    name: str | int | float | None = ""
    pid: int | str | float | None = None
    tid: int | str | float | None = None
    ts: Decimal = Decimal(0)
    dur: Decimal | None = None
    id: int | str | float | None = None
    args: msgspec.Raw = NO_ARGS


class NameArgs(msgspec.Struct):
    """Arguments of metadata events."""

    name: str | None = None
    labels: str | None = None


def times(source: Source, event: ChromeEvent) -> tuple[int, int]:
    """Start and duration of an event in ns. Raises ProfileError."""
    start, duration = event.ts, event.dur
    try:
        if start.adjusted() < _DIGITS and (duration is None or duration.adjusted() < _DIGITS):
            return int(start.scaleb(3)), 0 if duration is None else int(duration.scaleb(3))
        return ns_of_us(start), 0 if duration is None else ns_of_us(duration)
    except (ArithmeticError, ValueError) as error:
        problem = str(error) if isinstance(error, BadTimeError) else f"{start!s:.40}, {duration!s:.40} are no times"
        raise ProfileError(source.path, problem, "ts and dur in µs", f'event "{event.name}"') from error
