"""What a configuration file says: frozen, checked, each part with the line it stands in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tilescope_worker.wire.facts import Json, Severity

OWN, PROJECT = "tilescope.toml", "pyproject.toml"
NAMES = (OWN, PROJECT)
"""Configuration files, the stronger one first: in one folder, tilescope.toml is read and pyproject.toml is not."""


@dataclass(frozen=True)
class Configured:
    """A kernel argument as Python literal text (``128``, ``'float16'``), with the line that gives it."""

    text: str
    line: int


@dataclass(frozen=True)
class KernelEntry:
    """One ``[[tool.tilescope.kernels]]``. ``files`` are globs, relative to the configuration's folder (none: every
    file); ``kernel`` is a suffix of a qualified name (None: every kernel of these files). ``specializations`` is
    empty where the entry gives no arguments."""

    line: int
    files: tuple[str, ...] = ()
    kernel: str | None = None
    specializations: tuple[Mapping[str, Configured], ...] = ()
    targets: tuple[str, ...] = ()
    pass_configs: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True)
class Lint:
    """Which rules count and how much, and what `tilescope lint` does where its command line says nothing. Codes may
    be prefixes: ``TS2`` is every rule about memory. ``per_file_ignores`` are codes by globs relative to the folder
    of the configuration, from which ``baseline`` and ``cache_dir`` count as well."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    severity: Mapping[str, Severity] = field(default_factory=dict)
    extend_select: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    targets: tuple[str, ...] = ()
    specialization: Literal["all", "first"] | None = None
    fail_level: Severity | None = None
    baseline: str | None = None
    cache_dir: str | None = None


@dataclass(frozen=True)
class Config:
    """A configuration file; ``file`` is its path, empty where there is none. ``interpreter`` is as written: only for
    workspaces that are trusted. ``lines`` gives the line of each key by its dotted name (``lint.select``)."""

    file: str = ""
    targets: tuple[str, ...] = ()
    interpreter: str | None = None
    exclude: tuple[str, ...] = ()
    pass_configs: Mapping[str, Json] = field(default_factory=dict)
    kernels: tuple[KernelEntry, ...] = ()
    lint: Lint = field(default_factory=Lint)
    lines: Mapping[str, int] = field(default_factory=dict)
