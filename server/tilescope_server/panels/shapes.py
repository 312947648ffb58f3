"""What the methods that panels use answer: the dataclasses here and documents of recordings are their shapes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from tilescope_passdiff.diff import MovedBlock
from tilescope_passdiff.layouts import AttachedLayout
from tilescope_passdiff.render.compare import COMPARE
from tilescope_passdiff.render.history import HISTORY
from tilescope_passdiff.render.json import SHAPES, PassName
from tilescope_passdiff.render.layout import LAYOUT
from tilescope_passdiff.render.timeline import TIMELINE
from tilescope_passdiff.sides import SideRow
from tilescope_trace.model import Extent

from .variants import KnownSpecialization, KnownTarget

Schema = dict[str, Any]


@dataclass(frozen=True)
class About:
    """What an answer is about: the document's ``uri`` and the ``version`` of the text that was compiled, the kernel
    (qualified name, line), specialization and target. ``recording`` is the file it was read from, for other tools;
    null where none was needed. It lives as long as the server."""

    uri: str
    version: int | None
    kernel: str
    line: int
    specialization: str
    target: str
    recording: str | None


@dataclass(frozen=True)
class MemoryBuffer:
    """A buffer in a memory. ``bytes`` are those of all its stages over the whole block. ``first_use`` and
    ``last_use`` are the Python lines between which it is alive; ``offset`` is where it begins in the memory (bytes),
    ``merged_into`` the allocation it shares with others. ``registers`` counts 32-bit registers of each thread.
    Null is not known."""

    name: str
    line: int | None
    column: int | None
    scope: str
    dtype: str | None
    shape: tuple[Extent, ...]
    stages: int
    bytes: int | None
    first_use: int | None
    last_use: int | None
    offset: int | None
    merged_into: str | None
    registers: int | None


@dataclass(frozen=True)
class MemorySpace:
    """An on-chip memory (``shared``, ``registers``, Ascend's ``ub``, ``l1`` ...). ``used`` is what one block takes
    of it (of ``registers``: one thread), ``declared`` the sum of its buffers before any share a place, ``capacity``
    the most there can be; of ``registers`` all three count registers, else bytes."""

    name: str
    unit: Literal["bytes", "registers per thread"]
    used: int | None
    declared: int | None
    capacity: int | None
    buffers: tuple[MemoryBuffer, ...]


ABOUT: Schema = {"of": About}

ANSWERS: dict[str, tuple[str, Schema]] = {
    "tilescope/passes": ("passes", {**SHAPES["passes"], **ABOUT}),
    "tilescope/diff": (
        "sides",
        {
            "pass": PassName,
            "changed": bool,
            "status": Literal["ok", "failed"],
            "error": str | None,
            "summary": str,
            "purpose": str | None,
            "insertions": int,
            "deletions": int,
            "rows": tuple[SideRow, ...],
            "moved": tuple[MovedBlock, ...],
            "layouts": tuple[AttachedLayout, ...],
            **ABOUT,
        },
    ),
    "tilescope/history": ("history", {**HISTORY, **ABOUT}),
    "tilescope/show": ("show", {**SHAPES["show"], **ABOUT}),
    "tilescope/generated": ("generated", {**SHAPES["show"], "language": str | None, **ABOUT}),
    "tilescope/layout": ("layout", {**LAYOUT, "svg": str, "text": str, **ABOUT}),
    "tilescope/memory": ("memory", {"spaces": tuple[MemorySpace, ...], "notes": tuple[str, ...], **ABOUT}),
    "tilescope/variants": (
        "variants",
        {
            "specializations": tuple[KnownSpecialization, ...],
            "targets": tuple[KnownTarget, ...],
            "chosen": bool,
            **ABOUT,
        },
    ),
    "tilescope/timeline": ("timeline", {**TIMELINE, "of": About | None, "alone": str | None}),
    "tilescope/compare": ("compare", {**COMPARE, "a": About, "b": About}),
}
"""Of each method the document that it answers, and the document's keys with their types."""

NEW = ("sides", "generated", "memory", "variants")
"""Documents that only the server gives."""

PROBLEM: Schema = {"message": str}
"""Keys of the document ``problem``, which any method answers where it cannot answer otherwise."""
