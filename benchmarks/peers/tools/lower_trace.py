"""TileLang's own lower_trace: a program compiles, the tool prints each pass and writes a page."""

from __future__ import annotations

from collections.abc import Sequence

from peers.cases import Case
from peers.judge import Said
from peers.place import Place

from . import compiler

NAME = "lower_trace"
DISTRIBUTION = "tilelang"
HOW = "the same program with `TL_LOWER_TRACE=html`"


def look(cases: Sequence[Case], place: Place) -> dict[str, tuple[Said, ...]]:
    return compiler.look(cases, place, "lower_trace", extra={"TL_LOWER_TRACE": "html"})
