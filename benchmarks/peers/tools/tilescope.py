"""tilescope lint, for the target of each case."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any

from peers.cases import Case
from peers.judge import Said
from peers.place import Place
from tilescope_trace.rules.catalog import RULES

NAME = "tilescope"
DISTRIBUTION = "tilescope"
HOW = "`tilescope lint --target cuda:T FILE...`"


def command(place: Place, target: str, *paths: str) -> list[str]:
    start = [str(place.ours), "-m", "tilescope", "lint", "--target", f"cuda:{target}"]
    return [*start, "--format", "json", "--exit-zero", "-q", *paths]


def said(finding: Mapping[str, Any]) -> Said:
    """A finding of our JSON. Its rule is the kind of fault; TS1xx are compiles that fail."""
    code = finding["code"]
    rule = RULES.get(code)
    kind = "failure" if code.startswith("TS1") else rule.name if rule else None
    return Said(finding["line"], finding["severity"], kind, finding["message"])


def look(cases: Sequence[Case], place: Place) -> dict[str, tuple[Said, ...]]:
    folder = place.folder("tilescope")
    found: dict[str, tuple[Said, ...]] = {}
    for target in sorted({case.target for case in cases}):
        chosen = [case for case in cases if case.target == target]
        paths = sorted({str(case.path) for case in chosen})
        done = subprocess.run(
            [*command(place, target, *paths), "--no-cache"], cwd=folder, capture_output=True, text=True, check=True
        )
        (folder / f"{target}.json").write_text(done.stdout, encoding="utf-8")
        findings = json.loads(done.stdout)["findings"]
        for case in chosen:
            found[case.name] = tuple(said(one) for one in findings if _is_of(one, case))
    return found


def _is_of(finding: Mapping[str, Any], case: Case) -> bool:
    file, kernel = str(finding["file"]), finding.get("kernel")
    return file.endswith(case.path.name) and (kernel is None or kernel.split(".")[0] == case.kernel)
