"""Recordings of the kernels that a program has compiled: made after it has ended, as it compiled them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tilescope_trace.captured.keep import as_captured
from tilescope_trace.captured.parts import Outcome, Sight
from tilescope_trace.captured.values import described, value_of
from tilescope_trace.errors import UsageError
from tilescope_trace.files import read_snapshot
from tilescope_trace.model import Json, Options, Snapshot
from tilescope_trace.source.plan import plan_file
from tilescope_trace.source.values import UNKNOWN

from .progress import passes
from .recorder import default_path, prepare
from .session import Session

INDEX = "index.json"
RECORDED_AGAIN = "recorded again after the program ended, as it was compiled"


@dataclass(frozen=True)
class Traced:
    """One specialization that a program compiled, or took from TileLang's cache, and its recording if there is one.
    ``outcomes`` are all that happened to it in the processes of the program; ``note`` says what ``recording`` is, or
    why there is none."""

    kernel: str
    file: str
    args: dict[str, Json]
    target: str | None
    outcomes: tuple[Outcome, ...]
    recording: str | None
    status: Literal["ok", "failed", "incomplete"] | None
    note: str


def program_summary(found: Sequence[Traced], folder: Path) -> list[str]:
    """What became of each kernel of a program, a line each."""
    made = sum(one.recording is not None for one in found)
    what = "1 specialization" if len(found) == 1 else f"{len(found)} specializations"
    lines = [f"{what} seen, {made} recorded in {folder} after the program had ended"]
    for one in found:
        failed = "" if one.status in (None, "ok") else f" ({one.status})"
        outcome = f"{one.recording}{failed}" if one.recording else one.note
        given = ", ".join(f"{name}={_written(value)}" for name, value in one.args.items())
        lines.append(f"  {one.kernel}({given}) for {one.target or 'an unknown target'}: {outcome}")
    return lines


def _written(captured: Json) -> str:
    value = value_of(captured)
    return described(captured) or "..." if value is UNKNOWN else repr(value)


def choose(sights: Sequence[Sight], kernel: str | None) -> list[Sight]:
    """The sights of the kernels that ``--kernel`` means: a suffix of the qualified name or of its factory's."""
    if kernel is None:
        return list(sights)
    wanted = kernel.split(".")
    return [sight for sight in sights if _means(sight.qualname.split("."), wanted)]


async def record_all(sights: Sequence[Sight], folder: Path) -> list[Traced]:
    """Record each specialization that was compiled, one after the other, in the interpreter that compiled it."""
    found: list[Traced] = []
    for python, group in _by_python(sights):
        async with Session(python, group[0].file) as session:
            for sight in group:
                reason = why_not(sight)
                if reason is not None:
                    found.append(_traced(sight, note=reason))
                    continue
                try:
                    found.append(await _record(session, sight, folder))
                except UsageError as error:
                    found.append(_traced(sight, note=f"not recorded: {error}"))
    return found


def why_not(sight: Sight) -> str | None:
    """Why there is nothing to record of a sight; None where there is."""
    described_ = [f"{name} was {words}" for name, value in sight.args.items() if (words := described(value))]
    if "compiled" not in sight.outcomes and {"memory", "disk"} & set(sight.outcomes):
        return "cache hit: TileLang had it compiled already, no pass ran (TILELANG_DISABLE_CACHE=1 compiles again)"
    if sight.outcomes == ("winner",):
        return "cache hit: the autotuner had its choice on disk, no pass ran"
    if sight.outcomes == ("built",):
        return "not compiled: the program built its IR only"
    if sight.target is None:
        return "not compiled: TileLang found no device for its target"
    if described_:
        return f"not recorded: {', '.join(described_)}, which cannot be given again"
    return None


async def _record(session: Session, sight: Sight, folder: Path) -> Traced:
    snapshot = read_snapshot(Path(sight.file))
    options = Options(kernel=sight.qualname, captured=as_captured(sight))
    plan = plan_file(snapshot, session.options_for(snapshot, options))
    if len(plan.statics) != 1:
        raise UsageError(_unlike(snapshot, sight, [*plan.notes, *(n for one in plan.statics for n in one.notes)]))
    path = default_path(snapshot.path, plan.statics[0], folder)
    prepare(path)
    with passes(sight.qualname) as progress:
        info = await session.recording(snapshot, options, path, progress)
    return _traced(sight, note=RECORDED_AGAIN, recording=str(path), status=info.status)


def _unlike(snapshot: Snapshot, sight: Sight, notes: Sequence[str]) -> str:
    more = f": {notes[0]}" if notes else ""
    return f"{snapshot.path} gives no {sight.qualname} with the arguments of the run{more}"


def _traced(
    sight: Sight,
    *,
    note: str,
    recording: str | None = None,
    status: Literal["ok", "failed", "incomplete"] | None = None,
) -> Traced:
    return Traced(sight.qualname, sight.file, sight.args, sight.target, sight.outcomes, recording, status, note)


def _by_python(sights: Sequence[Sight]) -> Iterator[tuple[str | None, list[Sight]]]:
    groups: dict[str | None, list[Sight]] = {}
    for sight in sights:
        groups.setdefault(sight.python or None, []).append(sight)
    yield from groups.items()


def _means(name: list[str], wanted: list[str]) -> bool:
    return any(name[end - len(wanted) : end] == wanted for end in range(len(wanted), len(name) + 1))
