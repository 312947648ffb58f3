"""The answers to panels, from an opened recording or from a kernel's facts: public JSON of `shapes`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tilescope_passdiff.compare import compare
from tilescope_passdiff.layouts import new_layouts
from tilescope_passdiff.render.compare import compare_json
from tilescope_passdiff.render.history import history_json
from tilescope_passdiff.render.json import PassName, generated_json, pass_text_json, passes_json
from tilescope_passdiff.render.layout import layout_json, layout_svg, layout_text
from tilescope_passdiff.sides import pass_sides
from tilescope_passdiff.summary import summary_of
from tilescope_trace.errors import UsageError
from tilescope_trace.history import of_buffer, of_line
from tilescope_trace.layouts.cells import grid_of
from tilescope_trace.model import Buffer, Kernel
from tilescope_trace.model.public import document, to_public
from tilescope_trace.passes import explained
from tilescope_trace.store.read import Recording
from tilescope_trace.store.select import find_pass

from . import asked
from .memory import spaces_of

Answer = dict[str, Any]
TEXT_WIDTH = 120
"""Columns of a layout drawn as text."""
MOST_CELLS = 64 * 1024
"""Most elements of a layout in one answer: they are some 60 bytes each."""


def passes(recording: Recording, _: asked.OfKernel) -> Answer:
    return passes_json(recording)


def diff(recording: Recording, params: asked.Diff) -> Answer:
    record = find_pass(recording, str(params.pass_))
    sides = pass_sides(
        recording,
        record,
        context=params.context,
        hide_renumbering=params.hide_renumbering,
        hide_indentation=params.hide_indentation,
    )
    known = explained(record.name)
    return document(
        "sides",
        {
            "pass": to_public(PassName(record.index, record.name)),
            "changed": record.changed,
            "status": record.status,
            "error": record.error,
            "summary": summary_of(recording, record),
            "purpose": known.purpose if known is not None else None,
            "insertions": sides.insertions,
            "deletions": sides.deletions,
            "rows": to_public(sides.rows),
            "moved": to_public(sides.moved),
            "layouts": to_public(new_layouts(recording, record)),
        },
    )


def history(recording: Recording, params: asked.History) -> Answer:
    if params.buffer is not None:
        return history_json(recording, of_buffer(recording, params.buffer))
    if params.line is None:
        raise UsageError("name a buffer or a line")
    return history_json(recording, of_line(recording, params.line, params.file))


def show(recording: Recording, params: asked.OfPass) -> Answer:
    return pass_text_json(recording, find_pass(recording, str(params.pass_)))


def generated(recording: Recording, _: asked.OfKernel) -> Answer:
    shown = generated_json(recording)
    language = recording.info.generated_language
    return document("generated", {"lines": shown["lines"], "layouts": shown["layouts"], "language": language})


def layout(kernel: Kernel, params: asked.Layout) -> Answer:
    found = _buffer(kernel, params)
    (top, bottom), (left, right) = params.rows, params.columns
    if (bottom - top) * (right - left) > MOST_CELLS:
        raise UsageError(f"at most {MOST_CELLS} elements are drawn at once; ask for fewer rows or columns")
    grid = grid_of(found, kernel.target, slice(top, bottom), slice(left, right), params.index)
    return layout_json(grid) | {"svg": layout_svg(grid), "text": layout_text(grid, TEXT_WIDTH).plain}


def memory(kernel: Kernel, recording: Recording | None) -> Answer:
    notes = [] if recording is not None else ["without a recording it is not known where merged buffers lie"]
    return document("memory", {"spaces": to_public(spaces_of(kernel, recording)), "notes": notes})


def comparison(a: Recording, b: Recording) -> Answer:
    return compare_json(compare(a, b))


def _buffer(kernel: Kernel, params: asked.Layout) -> Buffer:
    named = [one for one in kernel.buffers if one.name == params.buffer]
    here = [one for one in named if params.buffer_line in (None, one.line)]
    if not here:
        known = [one.name for one in kernel.buffers if one.layout is not None]
        have = f"; those with a layout: {', '.join(dict.fromkeys(known))}" if known else ""
        raise UsageError(f"{kernel.qualname} has no buffer {params.buffer} there{have}")
    return next((one for one in here if one.layout is not None), here[0])


FROM_RECORDINGS: dict[str, tuple[type[asked.OfKernel], Callable[[Recording, Any], Answer]]] = {
    "tilescope/passes": (asked.OfKernel, passes),
    "tilescope/diff": (asked.Diff, diff),
    "tilescope/history": (asked.History, history),
    "tilescope/show": (asked.OfPass, show),
    "tilescope/generated": (asked.OfKernel, generated),
}
"""Of each method that reads one recording its parameters, and what it answers."""
