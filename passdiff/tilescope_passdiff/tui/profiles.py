"""Profiles laid over the recording that is browsed, with words for what could not be read or joined."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tilescope_trace.errors import UsageError
from tilescope_trace.profile import pipeline
from tilescope_trace.profile.correlate import Join, correlate
from tilescope_trace.profile.heat import Heat, heat_of
from tilescope_trace.profile.load import load_profiles
from tilescope_trace.profile.model import NONE, Launch, Profile
from tilescope_trace.profile.pipeline import Pipeline
from tilescope_trace.profile.placed import Codes, Placed, placed
from tilescope_trace.profile.recorded import recorded_kernel
from tilescope_trace.profile.rows import Rows, rows_of
from tilescope_trace.profile.stalls import is_wait
from tilescope_trace.profile.stamps.document import read as read_stamps
from tilescope_trace.profile.verdict.gather import Joined, verdicts
from tilescope_trace.profile.verdict.verdict import Verdict
from tilescope_trace.store.read import Recording
from tilescope_worker.annotate.names import id_of_digest


@dataclass(frozen=True)
class Wanted:
    """What somebody asked to lay over a recording: files and folders of profiles, and machine code to place samples
    with (TileLang's cache where none is named)."""

    paths: tuple[Path, ...] = ()
    codes: tuple[Path, ...] = ()


NO_PROFILES = Wanted()


@dataclass(frozen=True, eq=False, repr=False)  # Textual makes a repr of whatever a worker is given
class Attached:
    """One profile, its slices in the order of time, and how its launches are joined with the recording."""

    profile: Profile
    rows: Rows
    joins: tuple[Join, ...]
    placed: tuple[Placed | None, ...]
    texts: Mapping[tuple[str, int], str]
    """Python lines of the recording by file name and number."""

    @cached_property
    def own(self) -> tuple[int, ...]:
        """Launches of the recorded kernel, surely or possibly."""
        return tuple(index for index, join in enumerate(self.joins) if join.match != "none")

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The text of the Python line of each of the profile's places; empty where it is not known."""
        return tuple(
            next((text for one in reversed(frames) if (text := self.texts.get((Path(one.file).name, one.line)))), "")
            for frames in self.profile.places
        )

    @cached_property
    def same_lines(self) -> tuple[int, ...]:
        """For each of the profile's places the first one of the same Python line, itself where none is known."""
        first: dict[tuple[str, int], int] = {}
        found = []
        for at, frames in enumerate(self.profile.places):
            keys = ((Path(one.file).name, one.line) for one in reversed(frames))
            key = next((key for key in keys if self.texts.get(key)), None)
            found.append(at if key is None else first.setdefault(key, at))
        return tuple(found)

    def launch_of(self, index: int) -> tuple[Launch, Join] | None:
        """The launch that a slice is, or lies in."""
        launch = self.profile.slices.launch[index]
        return (self.profile.launches[launch], self.joins[launch]) if launch != NONE else None

    def label(self, index: int) -> str:
        """What a slice is called: by the text of its Python line where that is known."""
        columns, profile = self.profile.slices, self.profile
        name, place = profile.texts[columns.name[index]], columns.place[index]
        text = self.lines[place] if place != NONE else ""
        if text:
            return f"{name}: {text}" if is_wait(name) else text
        detail = columns.detail[index]
        return (
            f"{name} {profile.texts[detail]}" if name.split(" ")[0] in ("wait", "work") and detail != NONE else name
        )


@dataclass(frozen=True)
class Measured:
    """All that was measured of the recorded kernel; ``problems`` are files that could not be read, and why."""

    profiles: tuple[Attached, ...] = ()
    heat: Heat | None = None
    verdict: Verdict | None = None
    problems: tuple[str, ...] = ()

    @cached_property
    def telling(self) -> str:
        """In a line, what lies over the recording, or why nothing does."""
        if self.heat is not None:
            return f"shares of lines are of {self.heat.of}"
        if self.problems:
            return self.problems[0]
        for one in self.profiles:
            if one.profile.nothing_to_show:
                return f"{one.profile.path.name}: {one.profile.nothing_to_show}"
        joins = [join for one in self.profiles for join in one.joins]
        unsure = next((join for join in joins if join.match == "ambiguous"), None)
        if unsure is not None:
            return f"which launches are of this recording is ambiguous: {unsure.reason}"
        if not any(join.match != "none" for join in joins):
            return f"no launch is of this recording: {joins[0].reason if joins else 'the profile has no launches'}"
        return "launches are joined, but nothing in the profile can be put on lines"


def read_measured(
    wanted: Wanted, recording: Recording, loaded: dict[Path, tuple[Profile, ...]], tell: Callable[[str], None]
) -> Measured:
    """Read profiles (those in ``loaded`` were read before) and lay them over ``recording``; ``tell`` hears what is
    being done. Raises nothing for files that cannot be read: they are told."""
    problems: list[str] = []
    for path in wanted.paths:
        if path not in loaded:
            tell(f"reading {path.name} ({_size(path)}) …")
            try:
                loaded[path] = load_profiles(path)
            except UsageError as error:
                problems.append(str(error))
    codes = Codes(wanted.codes)
    attached = []
    for profile in (one for path in wanted.paths for one in loaded.get(path, ())):
        tell(f"laying {profile.path.name} over the recording …")
        attached.append(_attached(profile, recording, codes))
    joined = [Joined(one.profile, one.joins, one.placed) for one in attached]
    found = verdicts(joined, {recording.path: recording}).get(recording.path) if attached else None
    measured = Measured(tuple(attached), heat_of(joined, recording), found, (*problems, *codes.problems))
    _ = measured.telling, [one.own for one in attached]  # here, and not while somebody waits for a frame
    return measured


def _attached(profile: Profile, recording: Recording, codes: Codes) -> Attached:
    joins = correlate(profile, [recorded_kernel(recording)])
    rows = rows_of(profile)
    for lane in range(len(profile.lanes)):
        rows.of(lane)
    texts = {
        (Path(source.path).name, number): " ".join(line.split())
        for source in recording.sources()
        for number, line in enumerate(source.text.split("\n"), 1)
    }
    return Attached(profile, rows, joins, placed(profile, joins, {recording.path: recording}, codes), texts)


def pipeline_of(attached: Attached, recording: Recording) -> Pipeline | None:
    """Of the recorded kernel in this profile, where it has stamps or pipe lanes."""
    stages = max((buffer.stages for buffer in recording.info.kernel.buffers), default=1)
    document = read_stamps(attached.profile.path) if attached.profile.format == "tilescope stamps" else None
    if document is None:
        return pipeline.of_pipes(attached.profile)
    sure = {attached.profile.launches[index].annotation for index in attached.own}
    for kernel in document.kernels:
        if any(name and name.endswith(id_of_digest(kernel.source_sha256)) for name in sure):
            return pipeline.of_stamps(kernel, stages if stages > 1 else None)
    return None


def _size(path: Path) -> str:
    try:
        files = [one for one in path.rglob("*") if one.is_file()] if path.is_dir() else [path]
        return f"{sum(one.stat().st_size for one in files) / 1e6:.1f} MB"
    except OSError:
        return "size unknown"
