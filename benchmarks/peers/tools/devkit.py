"""tilelang-devkit: lower_trace as a package of its own, used as an instrument of the program's PassContext."""

from __future__ import annotations

from collections.abc import Sequence

from peers.cases import Case
from peers.judge import Said
from peers.place import Place

from . import compiler

NAME = "tilelang-devkit"
DISTRIBUTION = "tilelang-devkit"
HOW = 'the same program with `create_pass_instrument(mode="html")` in its PassContext'


def look(cases: Sequence[Case], place: Place) -> dict[str, tuple[Said, ...]]:
    return compiler.look(cases, place, "devkit", ("--devkit", "instrument"))
