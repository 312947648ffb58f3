"""What the hook in the program is to do: which generated sources get stamps, and the texts to compile instead."""

from __future__ import annotations

import fnmatch
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilescope_trace.store.read import Recording

from .rewrite import HEADER, region_bytes, rewrite
from .sites import Site, sites
from .statements import Function, UnknownFormError, functions

BLOCKS = 8
"""Blocks of a kernel that are sampled."""
CAPACITY = 4096
"""Words of a warp: stamps and `HEADER`."""


@dataclass(frozen=True)
class Planned:
    """A generated source that gets stamps, and the recording it is of."""

    key: str
    recording: Path
    kernel: str
    kernels: tuple[Function, ...]
    sites: tuple[Site, ...]
    text: str


@dataclass(frozen=True)
class Plan:
    """``refused`` says of kernels that get no stamps why."""

    blocks: int
    capacity: int
    planned: tuple[Planned, ...]
    refused: tuple[str, ...]

    def for_hook(self) -> dict[str, Any]:
        """The plan as the hook reads it."""
        return {
            "layout": {"row_bytes": self.capacity * 8, "header_bytes": HEADER * 8},
            "sources": {
                one.key: {
                    "text": one.text,
                    "bytes": region_bytes(self.blocks, self.capacity) * len(one.kernels),
                }
                for one in self.planned
            },
        }


def is_chosen(patterns: Sequence[str], *names: str) -> bool:
    """Whether a kernel is meant: all are without ``patterns``, which are globs for one of its names."""
    return not patterns or any(fnmatch.fnmatchcase(name, pattern) for name in names for pattern in patterns)


def make_plan(
    recordings: Iterable[Recording], patterns: Sequence[str], blocks: int = BLOCKS, capacity: int = CAPACITY
) -> Plan:
    """Stamps for the recorded kernels whose name (``matmul.main``, ``main``) or symbol (``main_kernel``) is
    chosen."""
    planned: dict[str, Planned] = {}
    refused = []
    for recording in recordings:
        info = recording.info
        name = info.kernel.qualname
        source = recording.generated()
        if source is None or info.generated_language != "cuda":
            refused.append(f"{name}: stamps are for CUDA, and it was compiled for {info.kernel.target}")
            continue
        try:
            found = functions(source)
        except UnknownFormError as error:
            refused.append(_unknown(name, error))
            continue
        symbols = [kernel.symbol for kernel in found]
        if not is_chosen(patterns, name, info.kernel.name, *symbols):
            continue
        placed = sites(found, recording.generated_lines())
        if not placed:
            refused.append(f"{name}: not stamped: its generated source holds no statement to stamp")
            continue
        key = hashlib.sha256(source.encode()).hexdigest()
        try:
            text = rewrite(source, found, placed, blocks, capacity)
        except UnknownFormError as error:
            refused.append(_unknown(name, error))
            continue
        planned.setdefault(key, Planned(key, recording.path, name, found, placed, text))
    return Plan(blocks, capacity, tuple(planned.values()), tuple(refused))


def _unknown(name: str, error: UnknownFormError) -> str:
    return f"{name}: not stamped: its generated source has an unknown form ({error})"
