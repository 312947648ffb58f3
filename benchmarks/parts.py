"""The parts of `make bench`: which script measures what, and how one is run so that the others go on in any case."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import machine
from budgets import ROWS
from figures import Figure, from_json

BENCHMARKS = Path(__file__).parent
_PATHS = re.compile(r"(?<!\w)/(?:[\w.+-]+/)+")


@dataclass(frozen=True)
class Part:
    """``arguments`` are those of a full run, ``quick`` what a try adds; ``{shared}`` in them is a folder that parts
    of one run have in common. After ``limit_s`` seconds a part is ended. ``about`` says what is compared."""

    name: str
    title: str
    script: str
    about: str
    arguments: tuple[str, ...] = ()
    quick: tuple[str, ...] = ("--runs", "1")
    limit_s: float = 300


@dataclass(frozen=True)
class Outcome:
    """A part as it was run. ``failure`` says why figures are missing, where some are; pairs are before and after."""

    started: str
    seconds: float
    revision: str
    load: tuple[float, float]
    pace_ms: tuple[float, float]
    failure: str
    figures: tuple[Figure, ...]


PARTS = (
    Part(
        "edit",
        "An edit, without a server",
        "edit.py",
        "A GEMM is changed and analysed through the host and its worker, in turn with a warm process that "
        "only executes the file, builds the kernel and lowers it up to layout inference "
        "(`bare_front_end.py`).",
    ),
    Part(
        "server",
        "Language server, as an editor has it",
        "lsp_latency.py",
        "A client over stdio sends edits and waits for what it asked. Layouts are those of the edit, "
        "debounce off; the bare front end gets the same edits in turn. Under typing (an edit each 60 ms) "
        "the last third of the answers is held against the first: nothing piles up.",
        ("--typing", "15"),
        ("--edits", "8", "--layouts", "2", "--typing", "3"),
        limit_s=480,
    ),
    Part(
        "start",
        "Start and memory of the server",
        "lsp_start.py",
        "From process start to the answer to `initialize`, in turn with a pygls server that has no feature. "
        "Memory is read when a file was opened and its hints were answered, without a worker.",
    ),
    Part(
        "memory",
        "Memory of a session",
        "memory.py",
        "Server, zygote, bases and children together, what they share counted once (PSS), against one "
        "process that imported TileLang and compiled the same file.",
    ),
    Part(
        "facts",
        "All facts of a kernel",
        "facts.py",
        "One lowering with everything that facts take, in turn with one that nothing watches, in one warm "
        "process. CPU time, for sm_90a.",
        ("--runs", "9"),
    ),
    Part(
        "rules",
        "Rules",
        "rules.py",
        "Findings of all rules over the bundled kernels and two of the tests, against the compile that "
        "gives the facts they read. CPU time.",
    ),
    Part(
        "recording",
        "Recording",
        "recording.py",
        "Recording every pass with line maps, in turn with a lowering that nothing watches, in one warm "
        "process. TileLang's own `lower_trace` is measured in processes of its own. For sm_90a.",
        ("--runs", "7"),
    ),
    Part(
        "capture",
        "Capture",
        "capture.py",
        "A program's calls of kernels after the first, plain and under `tilescope capture`; the best of "
        "seven loops in each run.",
    ),
    Part(
        "compare",
        "Comparing recordings",
        "compare.py",
        "Two recordings opened and compared, as `tilescope compare` does it.",
    ),
    Part(
        "diff",
        "Line diff",
        "diff.py",
        "Two IR texts of 5,000 lines with three kinds of changes, in CPU time: ours from two strings, git's "
        "from two files, its process included (the notes say what that takes), difflib's from two strings.",
        ("--runs", "15"),
    ),
    Part(
        "tui",
        "Terminal browser",
        "tui.py",
        "A recording of 200 passes and 50 MB of IR at 160×50. First paint is CPU time from opening the "
        "recording to the diff on the screen; key to frame is wall time of every key of five sessions.",
    ),
    Part(
        "timeline",
        "Timeline screen",
        "timeline.py",
        "Profiles of 100 MB, once they are read: from the key to the first frame with lanes, and each key "
        "of panning and zooming to its frame, of five sessions.",
        ("--megabytes", "100", "--keep", "{shared}"),
        ("--runs", "1", "--megabytes", "10"),
        limit_s=420,
    ),
    Part(
        "import",
        "Import of profiles",
        "profile_import.py",
        "Files of 100 MB in four formats, each imported in a process of its own, in turn with one that only "
        "parses the file with the standard library. Speed is of CPU time (that of wall time is in the "
        "notes), memory the largest resident set.",
        ("--megabytes", "100", "--keep", "{shared}"),
        ("--runs", "1", "--megabytes", "10"),
        limit_s=420,
    ),
    Part(
        "lint",
        "Lint",
        "lint.py",
        "`tilescope lint` as CI runs it, a new process each time, its start included. Shards stand for "
        "machines: each runs alone, and the slowest counts.",
        ("--files", "30"),
        ("--runs", "1", "--files", "4", "--warm", "4"),
        limit_s=600,
    ),
)
BY_NAME = {part.name: part for part in PARTS}


def run(part: Part, shared: Path, *, quick: bool) -> Outcome:
    """Run the script of a part, its output shown as it comes."""
    arguments = [one.format(shared=shared) for one in (*part.arguments, *(part.quick if quick else ()))]
    started, load, pace = datetime.now(timezone.utc), machine.load(), machine.pace()
    revision, clock = machine.revision(), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        out, errors = Path(folder) / "figures.jsonl", Path(folder) / "errors"
        command = [sys.executable, str(BENCHMARKS / part.script), *arguments, "--json", str(out)]
        wrong = _run(command, errors, part.limit_s)
        lines = out.read_text(encoding="utf-8").splitlines() if out.exists() else []
    figures = tuple(from_json(json.loads(line)) for line in lines)
    complete = {figure.key for figure in figures} >= {row.key for row in ROWS if row.part == part.name}
    return Outcome(
        started.isoformat(timespec="minutes"),
        round(time.monotonic() - clock, 1),
        revision,
        (round(load, 2), round(machine.load(), 2)),
        (round(pace, 1), round(machine.pace(), 1)),
        "" if complete else wrong,
        figures,
    )


def _run(command: list[str], errors: Path, limit_s: float) -> str:
    """Run a command to its end; how that was."""
    status: int | None = None
    with errors.open("wb") as file, subprocess.Popen(command, stderr=file, start_new_session=True) as process:
        try:
            status = process.wait(limit_s)
        except subprocess.TimeoutExpired:
            pass
        finally:
            # What it started goes with it, also where we are interrupted.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    if status is None:
        return f"not done after {limit_s:g} s"
    said = errors.read_text(encoding="utf-8", errors="replace").split("\n")
    last = next((line.strip() for line in reversed(said) if line.strip()), "")
    return f"ended with status {status}" + (f": {_PATHS.sub('…/', last)[:200]}" if last else "")


def as_json(outcome: Outcome) -> dict[str, Any]:
    return asdict(outcome)


def outcome_of(value: dict[str, Any]) -> Outcome:
    """An outcome as `as_json` gives it."""
    pairs = {name: tuple(value[name]) for name in ("load", "pace_ms")}
    return Outcome(**{**value, **pairs, "figures": tuple(map(from_json, value["figures"]))})
