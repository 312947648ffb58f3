"""The kernels: those with a known fault, correct ones, and those that show what tile-lsp says it finds."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from tilescope_trace.model import Options, Snapshot
from tilescope_trace.source.plan import plan_file

ROOT = Path(__file__).parents[2]
FAULTS = ROOT / "tests" / "kernels" / "cases"
GALLERY = ROOT / "examples" / "gpu"
CLAIMS = ROOT / "tests" / "kernels" / "peers"
GALLERY_TARGET = "sm_90a"

Group = Literal["fault", "correct", "claim"]


@dataclass(frozen=True)
class Case:
    """A kernel for one target. ``line`` is where a finding belongs (1-based; None: nothing is wrong), ``also`` are
    lines that explain it as well, ``kind`` the class of the fault. ``thread`` is the public report that the fault was
    taken from; None is one that we thought of."""

    group: Group
    path: Path
    kernel: str
    target: str
    args: dict[str, Any] = field(default_factory=dict)
    line: int | None = None
    also: tuple[int, ...] = ()
    kind: str | None = None
    thread: str | None = None

    @property
    def name(self) -> str:
        return f"{self.path.stem}.{self.kernel}.{self.target}"


def faults() -> list[Case]:
    """The cases of tests/kernels/cases with what is expected of a tool; the one without a fault is a correct one."""
    cases = []
    for entry in json.loads((FAULTS / "expected.json").read_text(encoding="utf-8")):
        path = FAULTS / entry["file"]
        cases.append(
            Case(
                group="correct" if entry["kind"] is None else "fault",
                path=path,
                kernel=entry["kernel"],
                target=entry["target"],
                args=entry["args"],
                line=entry["line"],
                also=tuple(entry.get("also_lines", ())),
                kind=entry["kind"],
                thread=_thread(path),
            )
        )
    return cases


def gallery() -> list[Case]:
    """The kernels of examples/gpu with the arguments of their directives."""
    options = Options(targets=(f"cuda:{GALLERY_TARGET}",))
    cases = []
    for path in sorted(GALLERY.glob("*.py")):
        plan = plan_file(Snapshot(str(path), path.read_text(encoding="utf-8")), options)
        for request in plan.requests:
            args = {name: ast.literal_eval(argument.text) for name, argument in request.arguments.items()}
            cases.append(Case("correct", path, request.chain[0][0], GALLERY_TARGET, args))
    return cases


def claims() -> list[Case]:
    """What the diagnostics of tile-lsp are about: kernels with a fault that they name, and correct ones that look
    alike. The line is that of a ``# here`` comment, kind and arguments those of ``# kind:`` and ``# args:`` lines;
    without them a kernel is correct."""
    cases = []
    for path in sorted(CLAIMS.glob("*.py")):
        text = path.read_text(encoding="utf-8")
        here = [number for number, line in enumerate(text.splitlines(), start=1) if line.endswith("# here")]
        kind = re.search(r"^# kind: (\S+)", text, re.MULTILINE)
        args = re.search(r"^# args: (.+)", text, re.MULTILINE)
        cases.append(
            Case(
                group="claim",
                path=path,
                kernel="kernel",
                target="sm_80",
                args=json.loads(args[1]) if args else {},
                line=here[0] if here else None,
                kind=kind[1] if kind else None,
            )
        )
    return cases


def every() -> list[Case]:
    return [*faults(), *gallery(), *claims()]


def _thread(path: Path) -> str | None:
    head = path.read_text(encoding="utf-8").partition("import tilelang")[0].replace("\n#", " ")
    found = re.search(r"([\w.-]+/[\w.-]+#\d+)", head)
    return found[1] if found else None
