"""The profile that `tilescope profile` writes: one JSON document, described in docs/profile.md.

Cycles are those of the SM's counter since the warp's first stamp; ``clock_ghz`` turns them into nanoseconds, to which
``start_ns`` (the GPU's global timer, which ticks every 32 ns or more coarsely) relates the warps to each other.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

SCHEMA = "tilescope.stamps/1"


@dataclass(frozen=True)
class StampPlace:
    """A Python line."""

    file: str
    line: int


@dataclass(frozen=True)
class StampSite:
    """What begins at a stamp with ``number``: ``line`` to ``last`` of the generated source, whose text begins with
    ``text``; ``origins`` are its Python lines, the one that causes it first, none where they are not known."""

    number: int
    line: int
    last: int
    kind: str
    role: str | None
    origins: tuple[StampPlace, ...]
    text: str


@dataclass(frozen=True)
class WarpStamps:
    """One warp of one sampled block. ``stamps`` alternates site numbers and cycles since ``start_ns``; ``end_ns`` and
    ``end_cycles`` are None where the warp left the kernel early. ``full``: it had no room for all its stamps."""

    block: int
    warp: int
    sm: int
    start_ns: int
    end_ns: int | None
    end_cycles: int | None
    full: bool
    stamps: tuple[int, ...]


@dataclass(frozen=True)
class Timing:
    """Durations of launches in microseconds, with a cold L2 cache: of the plain kernel in a run of its own, and of
    the one with stamps. ``overhead`` is the ratio of their medians less one; None where one side is missing."""

    plain_us: tuple[float, ...]
    stamped_us: tuple[float, ...]
    overhead: float | None


@dataclass(frozen=True)
class StampedKernel:
    """The last launch of one kernel in one process. ``recording`` is a file beside the profile, or None; its
    generated source has the checksum ``source_sha256``, which joins them exactly. ``grid`` and ``block`` are x, y,
    z."""

    symbol: str
    kernel: str
    source_sha256: str
    recording: str | None
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    launches: int
    clock_ghz: float | None
    timing: Timing
    sites: tuple[StampSite, ...]
    warps: tuple[WarpStamps, ...]


@dataclass(frozen=True)
class StampProfile:
    """``blocks`` were sampled of each kernel, evenly over its grid; ``program`` is the command that ran."""

    schema: str
    tilescope: str
    created: str
    program: tuple[str, ...]
    device: Mapping[str, Any]
    blocks: int
    kernels: tuple[StampedKernel, ...]
    notes: tuple[str, ...] = ()


DOCUMENT: dict[str, Any] = {
    "tilescope": str,
    "created": str,
    "program": tuple[str, ...],
    "device": Mapping[str, Any],
    "blocks": int,
    "kernels": tuple[StampedKernel, ...],
    "notes": tuple[str, ...],
}
"""Keys and types of the document, for the published schema."""


def write(profile: StampProfile, path: Path) -> None:
    """Write it, compressed where the name ends in ``.gz``."""
    data = msgspec.json.encode(profile)
    path.write_bytes(gzip.compress(data, 6, mtime=0) if path.suffix == ".gz" else data)


def read(path: Path) -> StampProfile | None:
    """A profile that `write` has written; None for any other file."""
    try:
        data = path.read_bytes()
        data = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
        profile = msgspec.json.decode(data, type=StampProfile)
    except (OSError, EOFError, zlib.error, gzip.BadGzipFile, msgspec.DecodeError):
        return None
    return profile if profile.schema == SCHEMA else None
