"""tilelang-devkit: lower_trace as a package of its own, used as an instrument of the program's PassContext."""

from __future__ import annotations

from collections.abc import Sequence

from peers.cases import Case
from peers.judge import Said
from peers.place import Place

from . import compiler

NAME = "tilelang-devkit"
DISTRIBUTION = "tilelang-devkit"
HOW = 'the same program with its `create_pass_instrument(mode="html")` in the PassContext'


def look(cases: Sequence[Case], place: Place) -> dict[str, tuple[Said, ...]]:
    return compiler.look(cases, place, "devkit", ("--devkit", "instrument"))


def enabled(cases: Sequence[Case], place: Place) -> dict[str, tuple[Said, ...]]:
    """The other way of its page, ``enable()``, which traces every compile of a program."""
    return compiler.look(cases, place, "devkit_enabled", ("--devkit", "plugin"))
