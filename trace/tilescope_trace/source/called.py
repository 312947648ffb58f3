"""All the values that calls give a kernel, for a person to choose among; an analysis takes the first ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tilescope_trace.model import Snapshot

from .calls import find_calls
from .discover import discover
from .literals import literal_text
from .names import resolve
from .tolerant import parse
from .values import UNKNOWN
from .workspace import Workspace


@dataclass(frozen=True)
class Called:
    """A call at a place: the texts of those arguments of the kernel ``qualname`` that it tells."""

    qualname: str
    arguments: dict[str, str]
    file: str
    line: int


def calls_of(snapshot: Snapshot, workspace: Workspace | None = None) -> tuple[Called, ...]:
    """The calls of the kernels of a file, different arguments once, in the order they are found."""
    parsed = parse(snapshot.text)
    names = resolve(parsed)
    kernels = discover(parsed, names)
    calls = find_calls(parsed, names, kernels, snapshot.path, workspace)

    def found() -> Iterator[Called]:
        for kernel in kernels:
            own = [parameter.name for parameter in kernel.parameters]
            for function in reversed(kernel.callables):
                for site in calls.sites.get(function, ()):
                    texts = {name: literal_text(site.values.get(name, UNKNOWN)) for name in own}
                    told = {name: text for name, text in texts.items() if text is not None}
                    if told:
                        yield Called(kernel.qualname, told, site.file or snapshot.path, site.line)

    distinct: dict[tuple[str, tuple[tuple[str, str], ...]], Called] = {}
    for one in found():
        distinct.setdefault((one.qualname, tuple(sorted(one.arguments.items()))), one)
    return tuple(distinct.values())
