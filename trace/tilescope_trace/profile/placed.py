"""The samples of a profile on the lines of the recordings that its launches are joined with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tilescope_trace.errors import UsageError
from tilescope_trace.store.read import Recording

from .attribute import NO_CODE, OTHER_CODE, OTHER_SOURCE, Attribution, attribute
from .cached_code import cached_library
from .correlate import Join
from .inline_chains import Chains
from .machine_code import machine_code
from .model import Profile, Samples


@dataclass(frozen=True)
class Placed:
    """Samples and where they belong in ``recording``."""

    samples: Samples
    recording: Recording
    attribution: Attribution


_MOST_NAMES = 4
"""Kernels that a message names."""


@dataclass
class Codes:
    """Machine code to attribute samples with: ``files`` that somebody gave, otherwise what TileLang's cache holds."""

    files: Sequence[Path] = ()
    problems: list[str] = field(default_factory=list)
    _read: dict[Path, dict[str, Chains]] = field(default_factory=dict)

    def of(self, recording: Recording, symbol: str) -> list[Chains]:
        """Code of a kernel that may be what was sampled. ``problems`` gathers why files could not be used."""
        paths = list(self.files)
        if not paths:
            library = cached_library(recording)
            paths = [library] if library is not None else []
        found = []
        for path in paths:
            kernels = self._kernels(path)
            chains = kernels.get(symbol) or kernels.get("")
            if chains:
                found.append(chains)
            elif kernels:
                problem = f"{path}: has no code of {symbol}, but of {', '.join(sorted(kernels)[:_MOST_NAMES])}"
                self.problems.extend([problem] if problem not in self.problems else [])
        return found

    def _kernels(self, path: Path) -> dict[str, Chains]:
        if path not in self._read:
            try:
                self._read[path] = machine_code(path)
            except UsageError as error:
                self._read[path] = {}
                self.problems.append(str(error))
        return self._read[path]


def placed(
    profile: Profile, joins: Sequence[Join], recordings: Mapping[Path, Recording], codes: Codes
) -> tuple[Placed | None, ...]:
    """For each of the profile's samples; None where their launch is joined with no recording for sure."""
    return tuple(_place(samples, joins, recordings, codes) for samples in profile.samples)


def _place(
    samples: Samples, joins: Sequence[Join], recordings: Mapping[Path, Recording], codes: Codes
) -> Placed | None:
    joined = joins[samples.launch].recording if 0 <= samples.launch < len(joins) else None
    recording = recordings.get(joined.path) if joined is not None else None
    if recording is None:
        return None
    found = attribute(samples, recording)
    for chains in codes.of(recording, samples.kernel) if NO_CODE in found.unplaced else ():
        found = attribute(samples, recording, chains)
        if not found.unplaced.keys() & {OTHER_CODE, OTHER_SOURCE}:
            break
    return Placed(samples, recording, found)
