"""The state of the browser and its transitions: frozen data and pure functions, no widgets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from tilescope_passdiff.opening import first_shown
from tilescope_trace.model import PassRecord

from .fuzzy import matches

Counts = tuple[int, int]
"""Inserted and deleted lines of one pass."""


Companion = Literal["source", "generated", "facts"]
"""A pane beside the text of a pass."""


@dataclass(frozen=True)
class State:
    """``selected`` is a position in the recording's passes (0 also when there is none). With ``hide_renumbering``
    lines that differ only in the numbers of their names (``v_1``, ``v_2``) count as equal. ``filter`` leaves passes
    out of the list by name. ``companions`` are the panes wanted beside the text, the last one first if there is not
    room for all."""

    selected: int = 0
    changed_only: bool = False
    hide_renumbering: bool = False
    filter: str = ""
    companions: tuple[Companion, ...] = ("generated", "source")


@dataclass(frozen=True)
class Heading:
    """A line over the passes of one phase."""

    title: str


ListRow = Heading | int
"""A line of the pass list: a heading, or the position of a pass."""


def start(passes: Sequence[PassRecord], status: str) -> State:
    """Where the browser opens: on `first_shown`. Passes without a change are hidden, unless none changed anything.
    After a failure outside of all passes it shows the pane of the generated source, which says why there is none."""
    changing = any(_stands_out(record) for record in passes)
    in_pass = any(record.status == "failed" for record in passes)
    lacking = status == "failed" and bool(passes) and not in_pass
    return State(first_shown(passes), changing, companions=("source", "generated") if lacking else State.companions)


def select(state: State, position: int) -> State:
    """Shows the pass at ``position``."""
    return replace(state, selected=position)


def toggle_changed_only(state: State, passes: Sequence[PassRecord]) -> State:
    """Lists changed passes only, or all again; the selection moves to a pass that is listed."""
    state = replace(state, changed_only=not state.changed_only)
    if not state.changed_only or not passes or _stands_out(passes[state.selected]):
        return state
    target = step_changed(state, passes, 1)
    if target.selected == state.selected:
        target = step_changed(state, passes, -1)
    return target


def narrow(state: State, passes: Sequence[PassRecord], needle: str) -> State:
    """Lists the passes that match ``needle``; the selection moves to the first one listed if its pass is not."""
    state = replace(state, filter=needle)
    listed = [row for row in list_rows(passes, state.changed_only, needle) if isinstance(row, int)]
    return state if not listed or state.selected in listed else select(state, listed[0])


def step_changed(state: State, passes: Sequence[PassRecord], step: int) -> State:
    """The next (``step`` 1) or previous (-1) pass that changed something or failed; the same state at the ends."""
    positions = range(state.selected + step, len(passes) if step > 0 else -1, step)
    target = next((position for position in positions if _stands_out(passes[position])), None)
    return state if target is None else select(state, target)


def toggle_companion(state: State, companion: Companion, shown: Sequence[Companion]) -> State:
    """Takes a pane away that is ``shown``, else wants it before all others."""
    others = tuple(other for other in state.companions if other != companion)
    return replace(state, companions=others if companion in shown else (*others, companion))


def list_rows(passes: Sequence[PassRecord], changed_only: bool, needle: str = "") -> tuple[ListRow, ...]:
    """The lines of the pass list, of passes whose label matches ``needle``. A run of passes of one phase stands under
    its heading; passes without a phase are named by where they run: before, between or after the phases."""
    phases = [record.phase for record in passes]
    rows: list[ListRow] = []
    heading: str | None = None
    for position, record in enumerate(passes):
        if (changed_only and not _stands_out(record)) or not matches(needle, record.label):
            continue
        title = record.phase or _unnamed(phases, position)
        if title != heading:
            heading = title
            rows.append(Heading(title))
        rows.append(position)
    return tuple(rows)


def _unnamed(phases: Sequence[str | None], position: int) -> str:
    before = next((phase for phase in reversed(phases[:position]) if phase), None)
    after = next((phase for phase in phases[position:] if phase), None)
    if after is None:
        return f"after {before}" if before else "passes"
    return f"before {after}"


def _stands_out(record: PassRecord) -> bool:
    return record.changed or record.status == "failed"
