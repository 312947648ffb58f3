"""Values that somebody wrote down for a kernel: by a directive, in the configuration, in a captured file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tilescope_trace.config.apply import ForKernel
from tilescope_trace.model import ArgumentOrigin, Json

from .literals import parse_literal
from .values import Value


@dataclass(frozen=True)
class Given:
    """A value with its origin; ``file`` is None for the kernel's own file."""

    value: Value
    line: int
    origin: ArgumentOrigin = "directive"
    file: str | None = None
    text: str | None = None
    """How the worker is to read it, where that is not the value's own literal text."""


@dataclass(frozen=True)
class Row:
    """One specialization: arguments by name, the targets that are this one's only, and what is to be said of it.
    ``seen`` marks one that a program used, whole but for defaults; ``seen_targets`` and ``seen_configs`` are that
    program's: weaker than what the source and the configuration say."""

    arguments: Mapping[str, Given] = field(default_factory=dict)
    targets: tuple[str, ...] = ()
    pass_configs: Mapping[str, Json] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    seen: bool = False
    seen_targets: tuple[str, ...] = ()
    seen_configs: Mapping[str, Json] = field(default_factory=dict)


def rows(*sources: Sequence[Row]) -> tuple[Row, ...]:
    """The specializations of a kernel, from sources of which the stronger come first.

    The strongest source that has any decides how many there are; what it leaves open comes from the first one of each
    weaker source. One empty row where there is no source.
    """
    given = [source for source in sources if source]
    if not given:
        return (Row(),)
    found = []
    for row in given[0]:
        arguments = dict(row.arguments)
        for weaker in given[1:]:
            arguments = {**weaker[0].arguments, **arguments}
        found.append(replace(row, arguments=arguments))
    return tuple(found)


def configured(config: ForKernel, parameters: Sequence[str]) -> tuple[Row, ...]:
    """The specializations that the configuration gives a kernel with these parameters; equal ones once."""
    found: list[Row] = []
    for given in config.specializations:
        row = Row(
            {
                name: Given(parse_literal(one.text), one.line, "config", config.file)
                for name, one in given.items()
                if name in parameters
            }
        )
        if row.arguments and row not in found:
            found.append(row)
    return tuple(found)


def unknown_names(config: ForKernel, qualname: str, parameters: Sequence[str]) -> tuple[str, ...]:
    """A note for each argument that an entry gives this very kernel, which has no such parameter."""
    known = ", ".join(parameters) or "none"
    return tuple(
        f"{config.file}:{line}: {qualname} has no parameter {name!r}; its parameters: {known}"
        for name, line in config.named.items()
        if name not in parameters
    )
