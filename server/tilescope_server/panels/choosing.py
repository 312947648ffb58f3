"""What a person chooses for a kernel, checked."""

from __future__ import annotations

import msgspec

from tilescope_trace.errors import UsageError
from tilescope_trace.model import Choice, Kernel
from tilescope_trace.source.literals import literal_text, parse_literal
from tilescope_trace.source.targets import normalise
from tilescope_trace.source.values import UNKNOWN


class ChosenArguments(msgspec.Struct, frozen=True, kw_only=True):
    """``arguments`` are texts by parameter; null takes an earlier choice back."""

    uri: str
    kernel: str | None = None
    line: int | None = None
    arguments: dict[str, str] | None = None


class ChosenTarget(msgspec.Struct, frozen=True, kw_only=True):
    """``target`` as tilescope writes it; null takes an earlier choice back."""

    uri: str
    kernel: str | None = None
    line: int | None = None
    target: str | None = None


def with_arguments(before: Choice, kernel: Kernel, arguments: dict[str, str] | None) -> Choice:
    """The choice with other arguments. Raises UsageError for names and values that cannot be."""
    known = [*kernel.specialization.args, *kernel.missing]
    for name, text in (arguments or {}).items():
        if name not in known:
            raise UsageError(f"{kernel.qualname} has no parameter {name!r}; it has {', '.join(known) or 'none'}")
        value = parse_literal(text)
        if value is UNKNOWN or literal_text(value) is None:
            raise UsageError(f"{name}={text}: neither a Python literal nor the name of a data type")
    return Choice(dict(arguments or {}), before.target)


def with_target(before: Choice, target: str | None) -> Choice:
    """The choice with another target. Raises UsageError for one that does not exist."""
    return Choice(before.arguments, normalise(target) if target is not None else None)
