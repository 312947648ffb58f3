"""TileLang with its check for data races, which is off by default."""

from __future__ import annotations

from collections.abc import Sequence

from peers.cases import Case
from peers.judge import Said
from peers.place import Place

from . import compiler

NAME = "TileLang, race check on"
DISTRIBUTION = "tilelang"
HOW = "the same program with `TILELANG_ENABLE_DATA_RACE_CHECK=1`"


def look(cases: Sequence[Case], place: Place) -> dict[str, tuple[Said, ...]]:
    return compiler.look(cases, place, "race_check", extra={"TILELANG_ENABLE_DATA_RACE_CHECK": "1"})
