"""Finding a buffer again on the other side of a pass."""

from __future__ import annotations

from collections.abc import Sequence

from tilescope_trace.model import BufferRecord

from .texts import base_name

Group = tuple[BufferRecord, ...]
"""One buffer of the author's in one text: a parameter is one in the host's and another in the device's function."""


def group_of(record: BufferRecord, states: Sequence[BufferRecord]) -> Group:
    """``record`` and the other states of ``states`` that are the same buffer, ``record`` first."""
    others = (state for state in states if state.key != record.key and is_same_parameter(state, record))
    return (record, *others)


def is_same_parameter(one: BufferRecord, other: BufferRecord) -> bool:
    """Whether both are the parameter of one Python line and name."""
    return (
        one.scope == other.scope == "global"
        and one.origin is not None
        and one.origin == other.origin
        and base_name(one.name) == base_name(other.name)
    )


def in_text(group: Group, states: Sequence[BufferRecord]) -> Group:
    """The buffer ``group`` in a text that may be another one of the same moment; empty where it is not there.

    In this order: the same memory; the same line of allocation and name; the same line alone, where it allocates one
    buffer; the same name.
    """
    first = group[0]
    for state in states:
        if any(state.key == member.key for member in group):
            return group_of(state, states)
    by_line = [state for state in states if first.origin is not None and state.origin == first.origin]
    by_name = [state for state in by_line if base_name(state.name) == base_name(first.name)]
    exact = [state for state in by_name if state.name == first.name]
    found = exact or by_name or (by_line if len(by_line) == 1 else [])
    if not found:
        unknown = (state for state in states if state.origin is None or first.origin is None)
        found = [state for state in unknown if state.name == first.name]
    return group_of(found[0], states) if found else ()


def after_pass(group: Group, before: Sequence[BufferRecord], after: Sequence[BufferRecord]) -> Group:
    """The buffer ``group`` of the input ``before`` in the output ``after``; empty where it is gone.

    Memory that was another buffer before the pass is not taken for this one, whatever it is called now.
    """
    taken = {state.key for state in before} - {member.key for member in group}
    same = [state for state in after if any(is_same_parameter(state, member) for member in group)]
    free = [state for state in after if state.key not in taken]
    return in_text(group, [*free, *(state for state in same if state.key in taken)])
