"""Which pass is selected and listed."""

from __future__ import annotations

from dataclasses import replace

from tilescope_passdiff.tui import state
from tilescope_passdiff.tui.state import Heading, State
from tilescope_trace.model import PassRecord


def record(index: int, changed: bool = False, phase: str | None = "main", failed: bool = False) -> PassRecord:
    status = "failed" if failed else "ok"
    return PassRecord(index, "p", f"p#{index}", phase, "both", 0, None, changed, "a", "b", 1.0, status)


PASSES = tuple(record(i, changed=i in (2, 5)) for i in range(8))
FAILED = (*PASSES[:4], record(4, failed=True))


def test_starts_where_there_is_something_to_see():
    assert state.start(PASSES, "ok") == State(2, changed_only=True)
    assert state.start(FAILED, "failed") == State(4, changed_only=True)
    inference = replace(record(5, changed=True), name="tl.LayoutInference")
    assert state.start((*PASSES[:5], inference), "ok") == State(5, changed_only=True), "what most people come for"
    assert state.start((*PASSES[:5], replace(inference, changed=False)), "ok").selected == 2, "it changed nothing"
    assert state.start((inference, *FAILED), "failed").selected == 5, "what failed comes before it"
    assert state.start(PASSES[:2], "ok") == State(0), "nothing changed: nothing is hidden"
    failed_later = State(2, changed_only=True, companions=("source", "generated"))
    assert state.start(PASSES, "failed") == failed_later, "it failed after the passes"


def test_steps_over_unchanged_passes_and_stops_at_the_ends():
    assert state.step_changed(State(2), PASSES, 1).selected == 5
    assert state.step_changed(State(5), PASSES, 1).selected == 5
    assert state.step_changed(State(5), PASSES, -1).selected == 2
    assert state.step_changed(State(2), FAILED, 1).selected == 4, "a failed pass counts"
    assert state.step_changed(State(0), (), 1) == State(0)


def test_a_filter_moves_the_selection_to_a_listed_pass():
    passes = [replace(record(at), label=name) for at, name in enumerate(("tl.Simplify#1", "tl.LayoutInference"))]
    assert state.narrow(State(0), passes, "lyinf") == State(1, filter="lyinf")
    assert state.narrow(State(0), passes, "simp") == State(0, filter="simp")
    assert state.narrow(State(0), passes, "nothing").selected == 0
    assert state.list_rows(passes, False, "layout") == (Heading("main"), 1)


def test_a_shown_companion_goes_and_a_hidden_one_comes_first():
    both = State(companions=("generated", "source"))
    assert state.toggle_companion(both, "source", ["source"]).companions == ("generated",)
    assert state.toggle_companion(both, "generated", ["source"]).companions == ("source", "generated")
    assert state.toggle_companion(both, "facts", ["source"]).companions == ("generated", "source", "facts")


def test_changed_only_moves_the_selection_to_a_listed_pass():
    assert state.toggle_changed_only(State(3), PASSES) == State(5, changed_only=True)
    assert state.toggle_changed_only(State(7), PASSES) == State(5, changed_only=True)
    assert state.toggle_changed_only(State(5), PASSES) == State(5, changed_only=True)
    assert state.toggle_changed_only(State(5, changed_only=True), PASSES) == State(5)
    assert state.toggle_changed_only(State(0), PASSES[:2]).selected == 0, "nothing changed: nothing to go to"


def test_headings_stand_over_runs_of_a_phase():
    phases = (None, "one", "one", None, "two", None)
    passes = [record(i, changed=True, phase=phase) for i, phase in enumerate(phases)]
    assert state.list_rows(passes, changed_only=False) == (
        Heading("before one"),
        0,
        Heading("one"),
        1,
        2,
        Heading("before two"),
        3,
        Heading("two"),
        4,
        Heading("after two"),
        5,
    )
    assert state.list_rows([record(0, phase=None)], changed_only=False) == (Heading("passes"), 0)


def test_changed_only_lists_no_empty_phase():
    passes = [record(0, phase="one"), record(1, changed=True, phase="two")]
    assert state.list_rows(passes, changed_only=True) == (Heading("two"), 1)
