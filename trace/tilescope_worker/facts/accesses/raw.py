"""Accesses as they stand in the compiler's IR, before any verdict."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from tilescope_worker.facts.ir import Location
from tilescope_worker.wire.facts import AccessMode, OperationKind

from .terms import Term, Variable, conjuncts


@dataclass(frozen=True, eq=False)
class Raw:
    """One access as written.

    ``starts`` is the first index of each axis, ``counts`` the number of elements from there. ``loops`` are the
    variables around it, outermost first, ``limits`` conditions that bound them where their loops' extents vary,
    ``guards`` the author's conditions. ``stored`` says that it is an element store; then ``uses`` are the variables
    that the value depends on, and ``sums`` says that it is the element itself plus something.
    """

    buffer: Any
    scope: str
    mode: AccessMode
    where: Location | None
    order: int
    starts: tuple[Term, ...]
    counts: tuple[Term, ...]
    loops: tuple[Variable, ...]
    limits: tuple[Term, ...]
    guards: tuple[Term, ...]
    operation: OperationKind | None = None
    stored: bool = False
    uses: frozenset[Variable] = frozenset()
    sums: bool = False

    @property
    def conditions(self) -> tuple[Term, ...]:
        return (*self.limits, *self.guards)


@dataclass
class Extracted:
    """``escaped`` are the data variables whose address is taken, ``aliased`` those with several shapes, ``reducers``
    those of reducers; ``shapes`` has the terms of each buffer's extents."""

    parameters: tuple[Any, ...] = ()
    accesses: list[Raw] = field(default_factory=list)
    escaped: set[Any] = field(default_factory=set)
    aliased: set[Any] = field(default_factory=set)
    reducers: set[Any] = field(default_factory=set)
    shapes: dict[Any, tuple[Term, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Around:
    """What is around a statement: the fields of `Raw` that it gives to accesses."""

    loops: tuple[Variable, ...] = ()
    limits: tuple[Term, ...] = ()
    guards: tuple[Term, ...] = ()
    where: Location | None = None

    def guarded(self, condition: Term) -> Around:
        return replace(self, guards=(*self.guards, *conjuncts(condition)))

    def within(self, loop: Variable, limits: tuple[Term, ...]) -> Around:
        return replace(self, loops=(*self.loops, loop), limits=(*self.limits, *limits))
