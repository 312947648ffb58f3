"""Times of profilers as whole nanoseconds."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

_LIMIT = Decimal(2**62)


class BadTimeError(ValueError):
    """Not a time: no number, or beyond 2**62 ns."""


def ns_of_us(time: Decimal | str) -> int:
    """Nanoseconds of a decimal number of microseconds, rounded; exact to the last digit, where a float of a time of
    day in µs has only steps of 1 ns or more. Raises BadTimeError."""
    try:
        number = Decimal(time.strip() if isinstance(time, str) else time) * 1000
        if -_LIMIT < number < _LIMIT:
            return round(number)
    except InvalidOperation:
        pass
    raise BadTimeError(f"{time!s:.40} is no time in µs")
