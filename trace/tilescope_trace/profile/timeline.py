"""A profile as ``tilescope timeline`` gives it out: launches with their recordings, lanes, samples by line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from .correlate import Join, Match
from .model import NONE, Device, Launch, Metric, Profile, Samples
from .notes import notes_of
from .placed import Placed
from .spans import lane_uses

PYTHON_RULE = (
    "Python lines, by the outermost frame of each instruction; what stems from several operations counts to the loop"
    " around them"
)

_RULES = {
    "every frame": "every frame: an instruction counts under each line of its stack, so that shares add up to more"
    " than all"
}
"""How profilers choose lines, where the word alone does not tell what the numbers mean."""


@dataclass(frozen=True)
class TimelineJoin:
    """Which recording a launch is of; ``file`` where that is sure, ``candidates`` where it is not."""

    match: Match
    reason: str
    file: str | None = None
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True)
class TimelineLaunch:
    """``count`` launches where the profiler sums them up (``duration_ns`` is of all); ``lane`` is an index into
    ``lanes``. ``recording`` is absent where no recordings were given."""

    name: str
    start_ns: int | None
    duration_ns: int | None
    count: int
    lane: int | None
    device: int | None = None
    grid: tuple[int, int, int] | None = None
    block: tuple[int, int, int] | None = None
    dynamic_shared_bytes: int | None = None
    registers: int | None = None
    annotation: str | None = None
    kind: str | None = None
    recording: TimelineJoin | None = None


@dataclass(frozen=True)
class TimelineLane:
    """``parent`` is an index into ``lanes``; ``busy_ns`` the time in which the lane itself has a slice."""

    title: str
    kind: str
    parent: int | None
    slices: int
    busy_ns: int
    clock: str | None = None


@dataclass(frozen=True)
class TimelineSample:
    """``share`` (0 to 1) of a kernel's samples on one line; ``launch`` is an index into ``launches``. ``file`` and
    ``line`` are those of the Python source, or what the profiler itself names, as ``samples_rule`` says; ``text`` is
    what stands there, where the recording or the profile has it."""

    launch: int
    file: str
    line: int
    share: float
    samples: int
    stalls: Mapping[str, int]
    text: str | None = None


@dataclass(frozen=True)
class TimelineMetric:
    """A measured value with its unit as the profiler spells it."""

    value: float | str
    unit: str | None = None


@dataclass(frozen=True)
class TimelinePart:
    """Metrics of one part of a launch (a core, a block), named as the profiler names it; ``launch`` is an index into
    ``launches``."""

    launch: int
    part: str
    metrics: Mapping[str, TimelineMetric]


@dataclass(frozen=True)
class TimelineNote:
    """What a reader must know; ``subject`` is the name of the slices it is about."""

    message: str
    subject: str | None = None


@dataclass(frozen=True)
class TimelineFile:
    """One profile. ``samples_unit`` is what samples count (samples, or a simulator's cycles
    or ns) and ``samples_rule`` says how lines were chosen; ``unplaced_share`` is the share of samples that could
    be put on no line, None where none were carried to Python."""

    file: str
    format: str
    devices: tuple[Device, ...]
    launches: tuple[TimelineLaunch, ...]
    lanes: tuple[TimelineLane, ...]
    slices: int
    samples: tuple[TimelineSample, ...]
    notes: tuple[TimelineNote, ...]
    parts: tuple[TimelinePart, ...] = ()
    samples_total: int | None = None
    samples_unit: str | None = None
    samples_rule: str | None = None
    unplaced_share: float | None = None
    nothing_to_show: str | None = None


def timeline_file(
    profile: Profile, joins: Sequence[Join] | None, placed: Sequence[Placed | None] = ()
) -> TimelineFile:
    """The profile, with a join for each launch where there are recordings to join with, and samples on Python lines
    where they were ``placed``."""
    uses = lane_uses(profile)
    total = sum(samples.total for samples in profile.samples)
    carried = {id(one.samples): one for one in placed if one is not None and one.attribution.python}
    lines = [
        line
        for samples in profile.samples
        for line in (_python(carried[id(samples)]) if id(samples) in carried else _lines(samples))
    ]
    rules = {samples.line_rule for samples in profile.samples if samples.lines and id(samples) not in carried}
    notes = notes_of(profile, joins or (), placed)
    return TimelineFile(
        file=str(profile.path),
        format=profile.format,
        devices=profile.devices,
        launches=tuple(
            _launch(launch, joins[index] if joins is not None else None)
            for index, launch in enumerate(profile.launches)
        ),
        lanes=tuple(
            TimelineLane(
                lane.title,
                lane.kind,
                None if lane.parent == NONE else lane.parent,
                use.slices,
                use.busy_ns,
                lane.clock or None,
            )
            for lane, use in zip(profile.lanes, uses, strict=True)
        ),
        slices=len(profile.slices),
        samples=tuple(lines),
        notes=tuple(TimelineNote(note.message, note.subject) for note in notes),
        parts=tuple(
            TimelinePart(one.launch, one.part, {name: _metric(metric) for name, metric in one.metrics.items()})
            for one in profile.parts
        ),
        samples_total=total or None,
        samples_unit=", ".join(dict.fromkeys(samples.unit for samples in profile.samples)) or None,
        samples_rule=PYTHON_RULE if carried else _rule(rules),
        unplaced_share=_unplaced_share(list(carried.values())) if carried else None,
        nothing_to_show=profile.nothing_to_show,
    )


def _metric(metric: Metric) -> TimelineMetric:
    return TimelineMetric(metric.value, metric.unit or None)


def _launch(launch: Launch, join: Join | None) -> TimelineLaunch:
    return TimelineLaunch(
        name=launch.name,
        start_ns=launch.start_ns,
        duration_ns=launch.duration_ns,
        count=launch.count,
        lane=None if launch.lane == NONE else launch.lane,
        device=launch.device,
        grid=launch.grid,
        block=launch.block,
        dynamic_shared_bytes=launch.dynamic_shared_bytes,
        registers=launch.registers,
        annotation=launch.annotation,
        kind=launch.kind,
        recording=None if join is None else _joined(join),
    )


def _joined(join: Join) -> TimelineJoin:
    files = tuple(str(one.path) for one in join.recordings)
    sure = join.recording is not None
    return TimelineJoin(join.match, join.reason, files[0] if sure else None, () if sure else files)


def _rule(rules: AbstractSet[str]) -> str | None:
    return (
        f"lines are the profiler's ({', '.join(_RULES.get(rule, rule) for rule in sorted(rules))})" if rules else None
    )


def _unplaced_share(carried: Sequence[Placed]) -> float:
    total = sum(one.attribution.total for one in carried)
    return sum(sum(one.attribution.unplaced.values()) for one in carried) / total if total else 0.0


def _python(one: Placed) -> list[TimelineSample]:
    found = one.attribution
    sources = {source.path: source.text.split("\n") for source in one.recording.sources()}
    return [
        TimelineSample(
            one.samples.launch,
            origin.file,
            origin.line,
            found.share(weight),
            weight.samples,
            weight.stalls,
            _line_of(sources.get(origin.file, []), origin.line),
        )
        for origin, weight in sorted(found.python.items(), key=lambda item: -item[1].samples)
        if weight.samples
    ]


def _lines(samples: Samples) -> list[TimelineSample]:
    total = samples.total or 1
    return [
        TimelineSample(
            samples.launch,
            line.place.file,
            line.place.line,
            line.samples / total,
            line.samples,
            line.stalls,
            line.text.strip() or None,
        )
        for line in sorted(samples.lines, key=lambda line: -line.samples)
        if line.samples
    ]


def _line_of(lines: Sequence[str], number: int) -> str | None:
    return lines[number - 1].strip() if 0 < number <= len(lines) else None
