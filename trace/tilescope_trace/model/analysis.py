"""The input and the result of analysing one file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tilescope_trace.captured.model import CapturedFile
from tilescope_trace.config.model import Config

if TYPE_CHECKING:
    from tilescope_trace.notebook_files import Cells
from tilescope_worker.wire.facts import Finding, Json, Kernel


@dataclass(frozen=True)
class Snapshot:
    """The text of a file at one moment; ``version`` is the editor's, None for a file read from disk. Of a notebook
    file the text is that of its ``cells``."""

    path: str
    text: str
    version: int | None = None
    cells: Cells | None = None


@dataclass(frozen=True)
class Choice:
    """What a person has chosen for one kernel: texts of Python literals or dtype names by parameter, and a target."""

    arguments: dict[str, str] = field(default_factory=dict)
    target: str | None = None


@dataclass(frozen=True)
class Options:
    """What the caller asks for, over what the file says. ``kernel`` is a suffix of a qualified name; ``targets``
    are names such as ``cuda:sm_90a``, ``every_target`` those that kernels of their dialect are checked for;
    ``arguments`` map parameter names to Python literal text; ``chosen`` says by qualified name what was chosen for
    single kernels, over what the file says; ``static`` forbids execution; ``config`` is the
    configuration that holds for the file; ``all_captured`` asks for every captured specialization, not only a
    kernel's first; ``captured`` has only what it holds analysed, just as it was compiled, whatever else the file and
    the configuration say; ``specialization`` is the id of the only one that is asked for; ``first_specialization``
    asks for each kernel's first only; ``device_compile`` has generated CUDA source compiled too, for registers and
    spills; ``device`` is the target of this machine's GPU, for kernels that nothing names one for."""

    kernel: str | None = None
    targets: tuple[str, ...] = ()
    every_target: tuple[str, ...] = ()
    arguments: dict[str, str] = field(default_factory=dict)
    chosen: dict[str, Choice] = field(default_factory=dict)
    pass_configs: dict[str, Json] = field(default_factory=dict)
    static: bool = False
    from_editor: bool = False
    config: Config | None = None
    all_captured: bool = False
    captured: CapturedFile | None = None
    specialization: str | None = None
    first_specialization: bool = False
    device_compile: bool = False
    device: str | None = None


@dataclass(frozen=True)
class FileFacts:
    """All kernels of a file and the findings that belong to no kernel. ``tilelang`` is the version that produced
    them, None while (or where) only static facts are known; ``complete`` is False while stages are still due."""

    file: str
    tilelang: str | None
    kernels: tuple[Kernel, ...] = ()
    findings: tuple[Finding, ...] = ()
    complete: bool = True
    notes: tuple[str, ...] = ()
