"""What a run has seen, added to what earlier runs have left."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .model import Captured
from .parts import Sight

CAP = 8
"""Specializations that are kept of a kernel: beyond that they tell little, and the file is to stay readable."""

Kernels = dict[str, dict[str, tuple[Captured, ...]]]


@dataclass(frozen=True)
class Merged:
    """``kernels`` as the file is to have them; ``seen`` specializations of this run are among them; ``dropped``
    counts those of the run and of the file that the cap left out, by kernel."""

    kernels: Kernels
    seen: int
    dropped: Mapping[str, int]


def merge(
    before: Mapping[str, Mapping[str, Sequence[Captured]]], sights: Iterable[Sight], root: Path, cap: int
) -> Merged:
    """Add the sights of a run, whose kernels lie below ``root``, to the entries of a file in that folder.

    Of each kernel ``cap`` specializations are kept: those of this run before older ones, and among the run's own the
    autotuner's choices, then those compiled most often, then those that it only tried.
    """
    kernels: Kernels = {file: {name: tuple(all_) for name, all_ in inner.items()} for file, inner in before.items()}
    dropped: dict[str, int] = {}
    seen = 0
    for (file, qualname), own in _by_kernel(sights, root).items():
        ranked = sorted(own, key=lambda sight: (_rank(sight), -sight.times))
        fresh = _distinct([_entry(sight, root) for sight in ranked])
        old = {identity(entry): entry for entry in kernels.get(file, {}).get(qualname, ())}
        entries = [_kept_choice(entry, old.pop(identity(entry), None)) for entry in fresh]
        kept = [*entries, *old.values()]
        if len(kept) > cap:
            dropped[f"{file}: {qualname}"] = len(kept) - cap
        seen += min(len(entries), cap)
        kernels.setdefault(file, {})[qualname] = tuple(kept[:cap])
    return Merged(kernels, seen, dropped)


def identity(entry: Captured) -> str:
    """What makes two entries the same: everything but who called, and what the autotuner thought of it."""
    parts = [dict(entry.args), entry.target, dict(entry.pass_configs), entry.compile_flags]
    return json.dumps(parts, sort_keys=True)


def _by_kernel(sights: Iterable[Sight], root: Path) -> dict[tuple[str, str], list[Sight]]:
    grouped: dict[tuple[str, str], list[Sight]] = {}
    for sight in sights:
        grouped.setdefault((relative(sight.file, root), sight.qualname), []).append(sight)
    return grouped


def _entry(sight: Sight, root: Path) -> Captured:
    caller = f"{_caller(sight.caller[0], root)}:{sight.caller[1]}" if sight.caller is not None else None
    return Captured(sight.args, sight.target, caller, sight.pass_configs, sight.compile_flags, sight.tuned)


def relative(path: str, root: Path) -> str:
    """A path with slashes from ``root``."""
    return Path(os.path.relpath(path, root)).as_posix()


def _caller(path: str, root: Path) -> str:
    """Who called, from ``root``; one elsewhere by its last two parts, which say enough and nothing private."""
    inside = relative(path, root)
    return "/".join(Path(path).parts[-2:]) if inside.startswith("../") else inside


def _rank(sight: Sight) -> int:
    return {"winner": 0, None: 1, "tried": 2}[sight.tuned]


def _distinct(entries: Iterable[Captured]) -> list[Captured]:
    return list({identity(entry): entry for entry in reversed(list(entries))}.values())[::-1]


def _kept_choice(entry: Captured, before: Captured | None) -> Captured:
    """A winner stays one while its tuning is not run again."""
    return replace(entry, tuned=before.tuned) if before is not None and entry.tuned is None else entry
