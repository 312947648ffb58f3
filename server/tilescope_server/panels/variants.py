"""The specializations and targets that a person can choose among for a kernel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tilescope_server.write_directive import argument_text
from tilescope_trace.errors import UsageError
from tilescope_trace.limits import limits_of
from tilescope_trace.model import Argument, Choice, Kernel, Options, Snapshot, Specialization
from tilescope_trace.source.called import calls_of
from tilescope_trace.source.plan import plan_file
from tilescope_trace.source.workspace import shared_workspace

TARGETS = (
    "cuda:sm_80",
    "cuda:sm_86",
    "cuda:sm_89",
    "cuda:sm_90a",
    "cuda:sm_100a",
    "hip:gfx90a",
    "hip:gfx942",
    "metal",
    "ascend",
)
"""Offered for every kernel; others can be written."""
MOST = 40
"""Calls that are offered."""


@dataclass(frozen=True)
class KnownSpecialization:
    """Arguments with their origins; ``arguments`` are the same as texts, to choose them by. ``file`` and ``line`` are
    where they come from, null where from several places. ``current`` is the one that hints are shown for."""

    id: str
    origin: str | None
    args: dict[str, Argument]
    arguments: dict[str, str]
    file: str | None
    line: int | None
    current: bool


@dataclass(frozen=True)
class KnownTarget:
    """A target with the name of its architecture, null where it is not known; ``origin`` is what named the current
    one."""

    name: str
    architecture: str | None
    origin: str | None
    current: bool


@dataclass(frozen=True)
class Variants:
    """What can be chosen for ``kernel`` (the current one of its variants); ``chosen`` is whether something was."""

    kernel: Kernel
    specializations: tuple[KnownSpecialization, ...]
    targets: tuple[KnownTarget, ...]
    chosen: bool


def variants_of(snapshot: Snapshot, options: Options, kernel: Kernel) -> Variants:
    """All that is known of what a kernel is used with. Reads the file and the workspace: not for an event loop."""
    current = kernel.specialization
    found = {current.id: _known(current, current=True)}
    for one in _others(snapshot, options, kernel.qualname):
        found.setdefault(one.id, one)
    names = dict.fromkeys([kernel.target, *TARGETS])
    targets = tuple(
        KnownTarget(
            name,
            limits.name if (limits := limits_of(name)) is not None else None,
            kernel.target_origin if name == kernel.target else None,
            name == kernel.target,
        )
        for name in names
    )
    return Variants(kernel, tuple(found.values()), targets, kernel.qualname in options.chosen)


def _others(snapshot: Snapshot, options: Options, qualname: str) -> Iterator[KnownSpecialization]:
    workspace = shared_workspace(snapshot.path)
    plain = replace(options, kernel=qualname, chosen={}, arguments={}, specialization=None, all_captured=True)
    for kernel in plan_file(snapshot, plain, workspace).statics:
        yield _known(kernel.specialization)
    called = [one for one in calls_of(snapshot, workspace) if one.qualname == qualname]
    for call in called[:MOST]:
        choice = {qualname: Choice(call.arguments)}
        try:
            made = plan_file(snapshot, replace(plain, all_captured=False, chosen=choice), workspace).statics
        except UsageError:
            continue
        for kernel in made[:1]:
            known = _known(kernel.specialization)
            args = {
                name: replace(one, origin="call", file=call.file, line=call.line) if name in call.arguments else one
                for name, one in known.args.items()
            }
            yield replace(known, origin="call", args=args, file=call.file, line=call.line)


def _known(specialization: Specialization, *, current: bool = False) -> KnownSpecialization:
    given = [one for one in specialization.args.values() if one.line is not None]
    places = {(one.file, one.line) for one in given if one.origin != "default"} or {
        (one.file, one.line) for one in given
    }
    file, line = places.pop() if len(places) == 1 else (None, None)
    texts = {name: argument_text(one) for name, one in specialization.args.items()}
    return KnownSpecialization(
        specialization.id, specialization.origin, dict(specialization.args), texts, file, line, current
    )
