"""Calls of functions that give kernels, and what the whole of a file says about them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from .compiles import Settings
from .names import Names
from .signature import FunctionNode
from .values import UNKNOWN, Env, Function, Value


@dataclass(eq=False)
class CallSite:
    """One call of a function that gives a kernel. ``given`` maps parameters to values, UNKNOWN where the call passes
    something that is not known; ``outer`` are values of the functions around; ``opaque`` says that there may be more
    arguments than are seen. ``target`` is what a compile of the result names, ``compiles`` what its compiles set.
    ``file`` is that of the call where it is another one; ``cases`` counts the calls of which it is the first."""

    function: Function
    given: dict[str, Value]
    outer: dict[str, Value]
    line: int
    opaque: bool = False
    target: Value = UNKNOWN
    compiles: list[Settings] = field(default_factory=list)
    file: str | None = None
    cases: int = 1
    results: Value = UNKNOWN
    """Which of the kernel's tensors a launch gives back: ``out_idx``."""

    @property
    def values(self) -> dict[str, Value]:
        return {**self.outer, **self.given}


@dataclass(frozen=True, eq=False)
class Calls:
    """What running over a file found: the module's names, the calls of each function in order, the targets that
    compiles of functions name and what these set, and the lines of settings whose kernel is not known."""

    module: Env
    sites: Mapping[FunctionNode, tuple[CallSite, ...]] = field(default_factory=dict)
    targets: Mapping[FunctionNode, Value] = field(default_factory=dict)
    compiles: Mapping[FunctionNode, Sequence[Settings]] = field(default_factory=dict)
    astray: tuple[int, ...] = ()
    module_member: Callable[[Names, str], Value] | None = None
    """What a dotted name of a file means in another module of the workspace."""


def more(after: Calls, before: Calls) -> dict[FunctionNode, tuple[CallSite, ...]]:
    """The sites that have been found since ``before``."""
    return {node: found for node, sites in after.sites.items() if (found := sites[len(before.sites.get(node, ())) :])}


def joined(calls: Calls, others: Mapping[FunctionNode, tuple[CallSite, ...]]) -> Calls:
    """With further sites behind those of the file itself."""
    sites = dict(calls.sites)
    for node, found in others.items():
        sites[node] = (*sites.get(node, ()), *found)
    return replace(calls, sites=sites)
