"""What a configuration says about one file and one kernel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tilescope_worker.wire.facts import Json

from .globs import matches
from .model import Config, Configured


@dataclass(frozen=True)
class ForKernel:
    """``specializations`` are those of the last entry that gives arguments; names it leaves out come from entries
    before it. ``targets`` are those of the last entry that names some, else the configuration's own; ``named`` are
    the argument names of entries that name this very kernel, with their lines."""

    file: str = ""
    specializations: tuple[Mapping[str, Configured], ...] = ()
    targets: tuple[str, ...] = ()
    pass_configs: Mapping[str, Json] = field(default_factory=dict)
    named: Mapping[str, int] = field(default_factory=dict)


NOTHING = ForKernel()


def is_excluded(config: Config, path: str) -> bool:
    """Whether the configuration leaves a file out. A file that is named on a command line is never left out."""
    return bool(config.exclude) and matches(path, config.exclude, str(Path(config.file).parent))


def for_kernel(config: Config | None, path: str, qualname: str) -> ForKernel:
    """What the entries that match a kernel say, later ones over earlier ones."""
    if config is None or not config.file:
        return NOTHING
    folder = str(Path(config.file).parent)
    targets, pass_configs = config.targets, dict(config.pass_configs)
    specializations: tuple[Mapping[str, Configured], ...] = ()
    named: dict[str, int] = {}
    for entry in config.kernels:
        if entry.files and not matches(path, entry.files, folder):
            continue
        if entry.kernel is not None and not _means(entry.kernel, qualname):
            continue
        if entry.specializations:
            base = specializations[0] if specializations else {}
            specializations = tuple({**base, **one} for one in entry.specializations)
        if entry.kernel is not None:
            named |= {name: one.line for given in entry.specializations for name, one in given.items()}
        targets = entry.targets or targets
        pass_configs |= entry.pass_configs
    return ForKernel(config.file, specializations, targets, pass_configs, named)


def _means(name: str, qualname: str) -> bool:
    """Whether ``name`` ends the qualified name, or that of a definition around the kernel."""
    wanted, parts = name.split("."), qualname.split(".")
    return any(parts[end - len(wanted) : end] == wanted for end in range(len(wanted), len(parts) + 1))
