"""The parts of a recording: one kernel x specialization x target, pass by pass."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from tilescope_worker.wire.facts import Kernel


@dataclass(frozen=True)
class PassRecord:
    """One lowering pass as it ran. ``before`` and ``after`` are hashes of IR texts; ``after`` is None for a failed
    pass. ``changed`` is structural and against the pass's own input; ``parent`` is the index of the pass it ran
    inside; ``duration_ms`` includes nested passes. ``label`` tells repeated names apart (``tl.Simplify#2``)."""

    index: int
    name: str
    label: str
    phase: str | None
    module: Literal["host", "device", "both"]
    depth: int
    parent: int | None
    changed: bool
    before: str
    after: str | None
    duration_ms: float
    status: Literal["ok", "failed"]
    error: str | None = None


@dataclass(frozen=True)
class Origin:
    """A place in a Python file."""

    file: str
    line: int


@dataclass(frozen=True)
class LineMap:
    """Origin of the statements of one IR text, by 1-based text line."""

    origins: dict[int, tuple[Origin, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class SourceFile:
    """A Python source as it was when recorded; ``path`` is relative to the workspace where it lies inside it."""

    path: str
    text: str
    sha256: str


@dataclass(frozen=True)
class RecordingInfo:
    """Everything about a recording but its passes and texts. ``kernel`` holds the facts at their last stage and the
    findings; ``environment`` is an allow-listed set of versions and variables; times in ms."""

    kernel: Kernel
    status: Literal["ok", "failed", "incomplete"]
    lower_ms: float
    record_ms: float
    created: str
    tilescope: str
    tilelang: str | None
    workspace: str | None
    environment: dict[str, str] = field(default_factory=dict)
    generated_language: str | None = None
