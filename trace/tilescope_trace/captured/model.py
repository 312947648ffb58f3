"""What a captured file says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tilescope_worker.wire.facts import Json

FILE = "tilescope.captured.json"
SCHEMA = "tilescope.captured/1"

Tuned = Literal["winner", "tried"]


@dataclass(frozen=True)
class Captured:
    """One specialization of a kernel for one target, as it was compiled.

    ``args`` are the arguments that were given (defaults are not among them), by parameter name: JSON values stand for
    themselves, ``{"tuple": [...]}``, ``{"dict": {...}}``, ``{"float": "inf"}`` and ``{"dtype": "float16"}`` for what
    JSON has no form for, ``{"described": "..."}`` for what is no literal. ``caller`` is ``file:line`` of who asked
    for the kernel. ``target`` is None where the program could not tell, as without a GPU. ``pass_configs`` and
    ``compile_flags`` are those beside the kernel's own. ``tuned`` tells what the autotuner chose and what it tried.
    """

    args: Mapping[str, Json]
    target: str | None = None
    caller: str | None = None
    pass_configs: Mapping[str, Json] = field(default_factory=dict)
    compile_flags: tuple[str, ...] = ()
    tuned: Tuned | None = None


@dataclass(frozen=True)
class CapturedFile:
    """A captured file. ``kernels`` are by file (relative to the folder of ``path``, with slashes) and qualified name;
    ``lines`` gives the 1-based line of each entry in the same order, 1 where the file is not laid out as we write
    it, 0 for a file that was never written: its arguments then come from the callers' lines."""

    path: str
    kernels: Mapping[str, Mapping[str, tuple[Captured, ...]]] = field(default_factory=dict)
    lines: Mapping[tuple[str, str], tuple[int, ...]] = field(default_factory=dict)
