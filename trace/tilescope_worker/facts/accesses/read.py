"""All facts about the accesses of a kernel."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from tilescope_worker.facts.ir import buffer_location, is_user_file, line_in
from tilescope_worker.wire.facts import Access, Coverage, Extent, Verdict, Witness

from . import bounds, coverage, initialised, races
from .extract import extract
from .raw import Raw
from .solve import Budget
from .terms import Term, is_known, text, variables

_UNJUDGED: tuple[Verdict, Witness | None] = ("unknown", None)
_SCOPES_LEFT_OUT = ("local.var", "shared.barrier", "shared.cluster_barrier")


@dataclass(frozen=True)
class Accesses:
    """What is accessed, in program order, and how much of each parameter that covers."""

    accesses: tuple[Access, ...] = ()
    coverage: tuple[Coverage, ...] = ()


def read(func: Any, path: str, *, guarding: bool = True) -> Accesses:
    """The accesses of a fresh PrimFunc to the buffers its author declared; their ``line`` is None outside ``path``.

    ``guarding`` is False where pass configs keep the compiler from guarding global memory
    (``tl.disable_safe_memory_legalize``). Work is bounded (`solve.Budget`): what it does not decide stays unknown.
    """
    extracted = extract(func)
    budget = Budget()

    def line_of(access: Raw) -> int | None:
        return line_in(path, access.where)

    initial = initialised.judge(extracted, budget)
    found = []
    for access in extracted.accesses:
        if access.scope in _SCOPES_LEFT_OUT or not _is_declared(access.buffer):
            continue
        inside = bounds.judge(access, extracted.shapes[access.buffer], budget, guarding=guarding)
        race, racing = races.judge(access, extracted.reducers, budget)
        ready, unready = initial.get(access, _UNJUDGED)
        witnesses = {"bounds": inside.witness, "initialised": unready, "race": racing}
        found.append(
            Access(
                buffer=str(access.buffer.name),
                scope=access.scope,
                mode=access.mode,
                line=line_of(access),
                operation=access.operation,
                indices=tuple(text(start) for start in access.starts),
                extents=tuple(_extent(count) for count in access.counts),
                domain=_domain(access),
                guards=tuple(text(guard) for guard in access.guards),
                loops=tuple(variable.name for variable in access.loops if variable.kind in ("serial", "parallel")),
                parallel=tuple(variable.name for variable in access.loops if variable.kind == "parallel"),
                bounds=inside.verdict,
                initialised=ready,
                race=race,
                witnesses={name: witness for name, witness in witnesses.items() if witness is not None},
            )
        )
    return Accesses(tuple(found), coverage.judge(extracted, line_of, budget))


def _is_declared(buffer: Any) -> bool:
    where = buffer_location(buffer)
    return where is None or is_user_file(where.file)


def _extent(count: Term) -> Extent:
    return count if isinstance(count, int) else text(count)


def _domain(access: Raw) -> dict[str, tuple[int, int]]:
    own = frozenset().union(*map(variables, access.starts)) if all(map(is_known, access.starts)) else frozenset()
    return {
        variable.name: (int(variable.first), int(variable.last))
        for variable in access.loops
        if variable in own and not math.isinf(variable.first) and not math.isinf(variable.last)
    }
