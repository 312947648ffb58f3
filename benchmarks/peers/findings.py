"""What every tool reports of every case, kept as JSON, and judged."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from .cases import Case, every
from .judge import Judged, Said, judge
from .place import Place
from .tools import TOOLS, compiler, devkit

Found = Mapping[str, tuple[Said, ...]]
ENABLED = "tilelang-devkit, enable()"
"""Kept of a correct kernel only."""


def collect(place: Place, only: Sequence[str] = ()) -> None:
    """Run the tools (all, or ``only`` some by name) on all cases; ``found/TOOL.json`` keeps what each said."""
    cases = every()
    for tool in TOOLS:
        if only and tool.NAME not in only:
            continue
        print(f"finding: {tool.NAME}", flush=True)
        found: Found = tool.look(cases, place)
        _keep(place, tool.NAME, found)
    if not only or devkit.NAME in only:
        _keep(place, ENABLED, devkit.enabled([case for case in cases if case.group == "correct"][:1], place))


def _keep(place: Place, tool: str, found: Found) -> None:
    kept = {name: [asdict(one) for one in said] for name, said in found.items()}
    _path(place, tool).write_text(json.dumps(kept, indent=1), encoding="utf-8")


def _path(place: Place, tool: str) -> Path:
    return place.folder("found") / f"{tool}.json"


def kept(place: Place, tool: str) -> Found:
    """What a tool said in the last run."""
    text = _path(place, tool).read_text(encoding="utf-8")
    return {name: tuple(Said(**one) for one in said) for name, said in json.loads(text).items()}


def judged(place: Place, cases: Sequence[Case]) -> dict[str, dict[str, Judged]]:
    """Verdicts by case of the tools that were run. A tool that fails where the compiler alone does not has found
    nothing of the kernel."""
    alone = kept(place, compiler.NAME)
    return {
        tool.NAME: {case.name: judge(case, own_failures(found[case.name], alone[case.name])) for case in cases}
        for tool in TOOLS
        if _path(place, tool.NAME).exists()
        for found in [kept(place, tool.NAME)]
    }


def own_failures(said: Sequence[Said], alone: Sequence[Said]) -> list[Said]:
    """Failures of a tool where TileLang alone compiles the kernel are about the tool, not about the kernel."""
    fails = any(one.kind == "failure" for one in alone)
    return [replace(one, kind=None) if one.kind == "failure" and not fails else one for one in said]
