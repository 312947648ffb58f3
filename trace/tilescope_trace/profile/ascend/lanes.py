"""The order of a simulated core's lanes: cores by number, each with its pipes in the order in which data flows."""

from __future__ import annotations

import re
from array import array
from dataclasses import replace

from tilescope_trace.profile.build import ProfileBuilder
from tilescope_trace.profile.model import NONE, Lane

PIPES = ("MTE2", "MTE1", "CUBE", "FIXP", "VECTOR", "RVECLD", "RVECEX", "RVECST", "MTE3", "SCALAR", "SCALARLDST")
"""From global memory (MTE2) over L1 (MTE1) through the cube and its FIXPIPE, or through the vector unit, to MTE3."""


def in_order(builder: ProfileBuilder) -> None:
    """Sort the lanes of ``builder``, and let slices and arrows follow. Lanes without a parent keep their parts."""
    lanes = builder.lanes
    order = sorted(range(len(lanes)), key=lambda lane: _key(lanes, lane))
    if order == list(range(len(lanes))):
        return
    place = {old: new for new, old in enumerate(order)}
    moved = [replace(lanes[old], parent=place.get(lanes[old].parent, NONE)) for old in order]
    for column in (builder.slices.lane, builder.flows.start_lane, builder.flows.end_lane):
        column[:] = array("i", [place[lane] for lane in column])
    builder.lanes[:] = moved


def _key(lanes: list[Lane], lane: int) -> tuple[tuple[int, int, str], int, int, str]:
    own, parent = lanes[lane], lanes[lane].parent
    core = lanes[parent].title if parent != NONE else own.title
    numbers = [int(number) for number in re.findall(r"\d{1,9}", core)]
    group = (numbers[0] if numbers else -1, "vec" in core, core)
    if parent == NONE:
        return (group, -1, 0, own.title)
    pipe = own.title.split(" ")[0]
    return (group, PIPES.index(pipe) if pipe in PIPES else len(PIPES), own.number or 0, own.title)
