"""From the notes that the processes of a program left to what was seen of each kernel."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import msgspec

from tilescope_trace.source.targets import from_source
from tilescope_worker.wire.facts import Json

from .model import Tuned

Outcome = Literal["built", "compiled", "memory", "disk", "failed", "winner"]
"""What became of a kernel: only built as IR, compiled, found in TileLang's cache in memory or on disk, not compiled
for an error, chosen by the autotuner."""
_DONE: tuple[Outcome, ...] = ("compiled", "memory", "disk", "winner")


@dataclass(frozen=True)
class Note:
    """One line of a part, as the hook writes it."""

    file: str
    qualname: str
    args: dict[str, Json]
    outcome: Outcome
    caller: tuple[str, int] | None = None
    target: dict[str, str] | None = None
    pass_configs: dict[str, Json] = field(default_factory=dict)
    compile_flags: tuple[str, ...] = ()
    tuning: bool = False
    count: int = 1
    python: str | None = None

    @property
    def target_name(self) -> str | None:
        """The target under our name for it; None where it is left to the machine, or is none that we know."""
        return from_source((self.target or {}).get("text") or self.target) if self.target else None


@dataclass(frozen=True)
class Sight:
    """One specialization of a kernel for one target as a program used it; paths are absolute. ``times`` counts how
    often it was built or compiled, over all processes; ``outcomes`` are in the order of `Outcome`."""

    file: str
    qualname: str
    args: dict[str, Json]
    target: str | None
    caller: tuple[str, int] | None
    pass_configs: dict[str, Json]
    compile_flags: tuple[str, ...]
    tuned: Tuned | None
    outcomes: tuple[Outcome, ...]
    times: int
    python: str | None


def read_parts(folder: Path) -> list[Note]:
    """The notes of all processes, in the order they were made within each. A line that is cut off, since its process
    was killed while writing, is left out."""
    decoder = msgspec.json.Decoder(Note)
    notes: list[Note] = []
    for path in sorted(folder.glob("*.jsonl")):
        # A process that forks goes on in another file: order by process is all that there is.
        for line in path.read_bytes().splitlines():
            with contextlib.suppress(msgspec.DecodeError):
                notes.append(decoder.decode(line))
    return notes


def sights(notes: Iterable[Note]) -> list[Sight]:
    """What was seen, in the order of its first appearance.

    What was built and then compiled is one sight, with the target of the compile; a kernel that was only built, or
    failed for want of a device, keeps the target that its source names, if any.
    """
    kernels: dict[str, list[Note]] = {}
    for note in notes:
        kernels.setdefault(_key(note.file, note.qualname, note.args), []).append(note)
    return [sight for group in kernels.values() for sight in _of_kernel(group)]


def _of_kernel(notes: Sequence[Note]) -> Iterator[Sight]:
    done = [note for note in notes if note.outcome in _DONE]
    left = done or [note for note in notes if note.outcome == "failed"] or notes
    grouped: dict[str, list[Note]] = {}
    for note in left:
        grouped.setdefault(_key(note.target_name, note.pass_configs, note.compile_flags), []).append(note)
    callers = [note.caller for note in notes if note.caller is not None]
    for group in grouped.values():
        first = group[0]
        outcomes = {note.outcome for note in group}
        tried = all(note.tuning or note.outcome == "winner" for note in group)
        yield Sight(
            file=first.file,
            qualname=first.qualname,
            args=first.args,
            target=first.target_name,
            caller=next((note.caller for note in group if note.caller is not None), min(callers, default=None)),
            pass_configs=first.pass_configs,
            compile_flags=first.compile_flags,
            tuned="winner" if "winner" in outcomes else "tried" if tried else None,
            outcomes=tuple(outcome for outcome in (*_DONE, "failed", "built") if outcome in outcomes),
            times=sum(note.count for note in group),
            python=first.python,
        )


def _key(*values: Any) -> str:
    return json.dumps(values, sort_keys=True)
