"""Times of profilers as whole nanoseconds."""

from __future__ import annotations

from decimal import Decimal

_DIGITS = 19
"""Most digits of a time in ns: a column of times holds 63 bits."""


class BadTimeError(ValueError):
    """Not a time: no number, or too large."""


def ns_of_us(time: Decimal | str) -> int:
    """Nanoseconds of a decimal number of microseconds; exact to the last digit, where a float of a time of day in µs
    has only steps of 1 ns or more. Raises BadTimeError."""
    try:
        number = Decimal(time.strip()).scaleb(3) if isinstance(time, str) else time.scaleb(3)
        if number.adjusted() < _DIGITS and abs(whole := int(number)) < 2**63:
            return whole
    except (ArithmeticError, ValueError):
        pass
    raise BadTimeError(f"{time!s:.40} is no time in µs")
