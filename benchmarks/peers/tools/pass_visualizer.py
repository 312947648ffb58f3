"""TileLang's pass_visualizer: a command that writes a page of the structure tree after each pass."""

from __future__ import annotations

import json
from collections.abc import Sequence

from peers.cases import Case
from peers.compiler_text import said_in
from peers.judge import Said
from peers.place import Place, run_all

NAME = "pass_visualizer"
DISTRIBUTION = "tilelang"
HOW = "`python -m tilelang.tools.pass_visualizer.viewer FILE --factory KERNEL --target T --set K=V`"


def command(case: Case) -> list[str]:
    target = json.dumps({"kind": "cuda", "arch": case.target})
    values = [part for name, value in case.args.items() for part in ("--set", f"{name}={value}")]
    start = ["-m", "tilelang.tools.pass_visualizer.viewer", str(case.path), "--factory", case.kernel]
    return [*start, "--target", target, *values, "--out", "passes.html"]


def look(cases: Sequence[Case], place: Place) -> dict[str, tuple[Said, ...]]:
    ran = run_all("pass_visualizer", {case.name: command(case) for case in cases}, place)
    paths = {case.name: case.path for case in cases}
    return {name: said_in(one.output, paths[name], failed=one.code != 0) for name, one in ran.items()}
