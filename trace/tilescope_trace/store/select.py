"""Finds the pass a person means."""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Callable, Iterator

from tilescope_trace.errors import UsageError
from tilescope_trace.model import PassRecord

from .read import Recording


def find_pass(recording: Recording, text: str) -> PassRecord:
    """The pass that ``text`` names: an index, a label (``tl.Simplify#2``), or a name that occurs once; case and the
    prefix before the first dot may be left out. Raises UsageError when there is none or more than one."""
    wanted = text.strip()
    for matches in _readings(wanted):
        found = [record for record in recording.passes if matches(record)]
        if len(found) == 1:
            return found[0]
        if found:
            names = ", ".join(f"{record.label} (index {record.index})" for record in found)
            raise UsageError(f"{recording.path}: pass {text!r} is ambiguous: {names}. Give one of these.")
    raise UsageError(f"{recording.path}: there is no pass {text!r}. {_hint(recording, wanted)}")


def _readings(wanted: str) -> Iterator[Callable[[PassRecord], bool]]:
    """Ways to read ``wanted``, the strictest first."""
    folded = wanted.casefold()
    if wanted.isdecimal():
        yield lambda record: record.index == int(wanted)
    yield lambda record: record.label == wanted
    yield lambda record: record.name == wanted
    yield lambda record: folded in (record.label.casefold(), record.name.casefold())
    yield lambda record: folded in (_short(record.label), _short(record.name))


def _short(name: str) -> str:
    return name.partition(".")[2].casefold() or name.casefold()


def _hint(recording: Recording, wanted: str) -> str:
    if not recording.passes:
        return "The recording holds no passes."
    if wanted.isdecimal():
        return f"Indexes go from {recording.passes[0].index} to {recording.passes[-1].index}."
    by_short = {_short(record.label): record.label for record in recording.passes}
    close = difflib.get_close_matches(_short(wanted), by_short, n=3, cutoff=0.6)
    if close:
        return f"Did you mean {' or '.join(by_short[name] for name in close)}?"
    return f"`tilescope passes {shlex.quote(str(recording.path))}` lists them."
