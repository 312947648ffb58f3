"""Measure everything and write docs/benchmarks.md: ``make bench``.

    python benchmarks/page.py              every part, one after the other; what was measured is kept in results.json
    python benchmarks/page.py diff tui     these parts again, the others as kept
    python benchmarks/page.py --render     the page again from what was kept
    python benchmarks/page.py --quick      a try: few runs of small inputs, to build/benchmarks.md

A part that fails costs its rows only. The exit status is 1 where a figure is missing, 0 whether budgets hold or not.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import machine
import render
from figures import from_json
from parts import BY_NAME, PARTS, Outcome, as_json, outcome_of, run

ROOT = Path(__file__).parent.parent
PAGE, RESULTS = ROOT / "docs" / "benchmarks.md", ROOT / "benchmarks" / "results.json"
TRIED = ROOT / "build" / "benchmarks.md"
GPU = ROOT / "benchmarks" / "h200" / "overhead.json"


@dataclass(frozen=True)
class Results:
    """What was measured on one machine with the same versions, part by part."""

    machine: dict[str, str]
    versions: dict[str, str]
    parts: dict[str, Outcome] = field(default_factory=dict)


def read(path: Path) -> Results:
    value = json.loads(path.read_text(encoding="utf-8"))
    return Results(
        value["machine"], value["versions"], {name: outcome_of(one) for name, one in value["parts"].items()}
    )


def write(results: Results, path: Path) -> None:
    value = {
        "machine": results.machine,
        "versions": results.versions,
        "parts": {name: as_json(one) for name, one in results.parts.items()},
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def kept() -> render.Kept:
    """Results of a GPU, which are not measured again."""
    value: Mapping[str, Any] = json.loads(GPU.read_text(encoding="utf-8"))
    return render.Kept(value["measured"], tuple(map(from_json, value["figures"])))


def page(results: Results, *, quick: bool = False) -> str:
    return render.page(results.machine, results.versions, results.parts, kept(), quick=quick)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", choices=[*BY_NAME, []], help=", ".join(BY_NAME))
    parser.add_argument("--quick", action="store_true", help="few runs of small inputs, to build/benchmarks.md")
    parser.add_argument("--render", action="store_true", help="measure nothing")
    given = parser.parse_args()
    out, kept_in = (TRIED, TRIED.with_suffix(".json")) if given.quick else (PAGE, RESULTS)
    here = Results(machine.machine(), machine.versions())
    if given.render or given.parts:
        if not kept_in.exists():
            if given.render:
                parser.error(f"{kept_in.relative_to(ROOT)} is not there: measure all parts first")
        else:
            before = read(kept_in)
            if given.render:
                here = before
            elif (before.machine, before.versions) == (here.machine, here.versions):
                here.parts.update(before.parts)
            else:
                parser.error("what is kept is of another machine or other versions: measure all parts")
    wanted = [] if given.render else [part for part in PARTS if not given.parts or part.name in given.parts]
    with tempfile.TemporaryDirectory() as shared:
        for part in wanted:
            print(f"== {part.name}: {part.title}", flush=True)
            outcome = here.parts[part.name] = run(part, Path(shared), quick=given.quick)
            print(f"   {outcome.seconds:.0f} s{f'; {outcome.failure}' if outcome.failure else ''}", flush=True)
            # At each step, so that an interrupted run leaves what it has.
            write(here, kept_in)
            out.write_text(page(here, quick=given.quick), encoding="utf-8")
    if given.render:
        out.write_text(page(here, quick=given.quick), encoding="utf-8")
    count = render.counts(here.parts)
    print(f"{out.relative_to(ROOT)}: {render.summary(count)}")
    return int(count.missing > 0 and not given.render)


if __name__ == "__main__":
    sys.exit(main())
