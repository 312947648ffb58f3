"""TileLang itself, with nothing beside it: the program that compiles the kernel."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from peers.cases import Case
from peers.compiler_text import said_in
from peers.judge import Said
from peers.place import COMPILE, Place, run_all

NAME = "TileLang alone"
DISTRIBUTION = "tilelang"
HOW = "a program that builds and lowers the kernel; what it prints, and the traceback where it fails"


def command(case: Case) -> list[str]:
    return [COMPILE, str(case.path), case.kernel, case.target, json.dumps(case.args)]


def look(
    cases: Sequence[Case],
    place: Place,
    tool: str = "compiler",
    options: Sequence[str] = (),
    extra: Mapping[str, str] | None = None,
) -> dict[str, tuple[Said, ...]]:
    """``options`` and ``extra`` (environment) switch a tool on that watches the program."""
    ran = run_all(tool, {case.name: [*command(case), *options] for case in cases}, place, extra)
    paths = {case.name: case.path for case in cases}
    return {name: said_in(one.output, paths[name], failed=one.code != 0) for name, one in ran.items()}
