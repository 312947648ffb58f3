"""One lowering of a kernel with all facts that it gives, and its failure where it has one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

from .elaborate import Elaborated
from .facts.collect import LAYOUT_PASSES, Collector
from .facts.decided import Conflict
from .facts.ir import Location
from .failures import failure_of
from .lowering import Lowered, lower
from .observe import Guarded, Observer, PassRun
from .spans import SpanRepair
from .texts import PassTexts
from .wire.facts import Stage
from .wire.messages import Failure


@dataclass(frozen=True)
class Setting:
    """What all lowerings of one request have in common."""

    request: int
    path: str
    target: Any
    target_name: str
    checks: bool


@dataclass(frozen=True)
class Attempt:
    """A lowering that has ended. ``failure`` and ``conflict`` are None where it succeeded (a conflict also where it
    failed for something else). ``merged`` are the lines of the buffers that share an allocation, by its name."""

    made: Elaborated
    facts: Collector
    observer: Observer
    lowered: Lowered
    notes: tuple[str, ...]
    failure: Failure | None = None
    conflict: Conflict | None = None
    merged: dict[str, tuple[Location, ...]] = field(default_factory=dict)

    @property
    def stage(self) -> Stage:
        """How far the facts go."""
        if self.failure is None:
            return "lowered"
        return "layouts" if self.facts.stage_reached != "buffers" else "buffers"

    @property
    def passes(self) -> tuple[PassRun, ...]:
        """The passes that began, up to the one it failed in."""
        failing = self.observer.failing
        return tuple(self.observer.runs[: failing.index + 1]) if failing is not None else ()


def attempt(
    made: Elaborated,
    setting: Setting,
    *,
    texts: PassTexts | None = None,
    live: bool = False,
    told: Callable[[Stage, Collector], None] = lambda *_: None,
) -> Attempt:
    """Lower ``made``. ``texts`` has the modules before and after each pass printed, and with ``live`` sends each pass
    as it runs; ``told`` is called with the facts before lowering and again once layouts are known.

    Raises ArgumentError for a pass config that this TileLang refuses.
    """
    facts = Collector(made.func, setting.target, setting.target_name, setting.path, made.pass_configs)
    guarded = Guarded(facts)

    def began(run: PassRun) -> None:
        if texts is not None:
            (texts.began if live else texts.prepare_start)(run)

    def ended(run: PassRun) -> None:
        if texts is not None:
            (texts.ended if live else texts.prepare_end)(run)
        if run.name in LAYOUT_PASSES and guarded.problem is None:
            told("layouts", facts)

    told("buffers", facts)
    with SpanRepair() as repair, closing(facts):
        observer = Observer(
            (repair, guarded),
            compare=texts is not None,
            began=began,
            ended=ended,
        )
        lowered = lower(made, setting.target, observer, checks=setting.checks)
    notes = (guarded.problem,) if guarded.problem else ()
    if lowered.error is None:
        facts.finished(lowered.artifact)
        return Attempt(made, facts, observer, lowered, notes, merged=repair.merged)
    failing = observer.failing
    failure = failure_of(
        lowered.error,
        lowered.phase(observer),
        request=setting.request,
        pass_name=failing.name if failing else None,
    )
    conflict = facts.conflict(failure.text) if failure.pass_name in LAYOUT_PASSES else None
    if conflict is not None:
        failure = replace(failure, related=conflict.claims)
    return Attempt(made, facts, observer, lowered, notes, failure, conflict)
