"""`tilescope trace --edit`: a program run with generated sources that the user edits."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from tilescope_trace import edits
from tilescope_trace.captured.parts import Sight
from tilescope_trace.errors import UsageError

from .program import captured_run, say

FOLDER = Path(".tilescope", "edits")
_WITHOUT = ("c", "webgpu", "llvm")
"""Target kinds whose code generators hand their text to nobody before it is compiled."""
_WORDS = {
    "written": "written for editing",
    "unchanged": "as generated",
    "regenerated": "the generated text has changed, and the file with it: it had no edits",
    "edited": "your text was compiled",
    "merged": "your edits and the changed generated text were merged, and compiled",
    "unresolved": "still has marks of a conflict: what was generated was compiled",
}


def run_edited(program: Sequence[str], folder: Path) -> int:
    """Run a program once, or on a terminal again and again until the user has enough; its last exit code."""
    with edits.held(folder):
        while True:
            code = _run(program, folder)
            if not (sys.stdin.isatty() and sys.stderr.isatty()):
                return code
            click.echo(
                "tilescope: edit the files and press Enter to run again, or q and Enter to end: ", err=True, nl=False
            )
            answer = sys.stdin.readline()
            if answer.strip() or not answer:
                return code


def _run(program: Sequence[str], folder: Path) -> int:
    edits.clear(folder)
    code, seen = captured_run(program, {edits.EDITS: folder.resolve()})
    try:
        for line in summary(edits.edited(folder), seen, folder):
            say(line, always=True)
    except OSError as error:
        raise UsageError(f"cannot read {error.filename or folder}: {error.strerror or error}") from None
    finally:
        edits.clear(folder)
    return code


def summary(found: Sequence[edits.Edited], seen: Sequence[Sight], folder: Path) -> list[str]:
    """What became of each generated source, a line each."""
    lines = [f"{folder / one.file}: {_outcome(one)}" for one in found]
    compiled = [sight for sight in seen if {"compiled", "failed"} & set(sight.outcomes)]
    for sight in compiled:
        kind = (sight.target or "").partition(":")[0]
        if kind in _WITHOUT:
            lines.append(f"{sight.qualname}: the code generator for {kind} compiles no edited source")
    if not lines:
        lines.append("the program compiled no kernel, so there is no generated source to edit")
    return list(dict.fromkeys(lines))


def _outcome(one: edits.Edited) -> str:
    if one.outcome == "conflict":
        places = "place" if one.conflicts == 1 else "places"
        return (
            f"both texts changed in {one.conflicts} {places}: the file has both, and what was generated was compiled;"
            " resolve the marks and run again"
        )
    if one.outcome == "unreadable":
        return f"not used: {one.said}"
    return _WORDS[one.outcome]
