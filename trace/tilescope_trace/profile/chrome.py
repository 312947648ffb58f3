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
    try:
        return ns_of_us(event.ts), 0 if event.dur is None else ns_of_us(event.dur)
    except BadTimeError as error:
        raise ProfileError(source.path, str(error), "ts and dur in µs", f'event "{event.name}"') from error
