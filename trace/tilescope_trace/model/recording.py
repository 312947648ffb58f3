"""The parts of a recording: one kernel x specialization x target, pass by pass."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from tilescope_worker.wire.facts import Extent, Kernel


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
    """Origins of the statements and declarations of one IR text, by 1-based text line. ``unplaced`` are the lines of
    statements without a known Python line, None where the recording does not tell."""

    origins: dict[int, tuple[Origin, ...]] = field(default_factory=dict)
    unplaced: tuple[int, ...] | None = None


@dataclass(frozen=True)
class BufferRecord:
    """A buffer of one IR text. ``name`` is as printed there; equal ``key`` is the same memory in other texts of the
    recording. ``origin`` is where Python allocates it; ``declared`` and ``used`` are text lines; ``layout`` is
    whether a layout is attached. ``inside`` names the buffer that it was merged into, at ``offset`` bytes; shape and
    dtype are then not known any more."""

    name: str
    key: int
    origin: Origin | None
    shape: tuple[Extent, ...]
    dtype: str
    scope: str
    declared: tuple[int, ...]
    used: tuple[int, ...]
    layout: bool
    inside: str | None
    offset: int | None


@dataclass(frozen=True)
class GeneratedLineRecord:
    """One line of generated source: the Python lines it comes from, none where unknown, and the part it plays
    (producer, consumer, barrier, epilogue ...)."""

    line: int
    origins: tuple[Origin, ...]
    role: str | None


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
