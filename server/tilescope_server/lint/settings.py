"""What a run does: the command line over the configuration."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tilescope_trace.config.model import Config
from tilescope_trace.model import Json, Options, Severity

from .select import ALL, Selection

DEFAULT_LEVEL: Severity = "warning"


@dataclass(frozen=True)
class Asked:
    """What the command line says; None and empty where it says nothing."""

    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    pass_configs: tuple[tuple[str, Json], ...] = ()
    specialization: Literal["all", "first"] | None = None
    fail_level: Severity | None = None
    baseline: Path | None = None
    cache_dir: Path | None = None
    static: bool = False
    device_compile: bool = False


def selection(asked: Asked, config: Config) -> Selection:
    """Which findings count in a file of ``config``: codes selected on the command line replace what the configuration
    selects and ignores, others come on top of it."""
    lint = config.lint
    if asked.select:
        select, ignore = (*asked.select, *asked.extend_select), asked.ignore
    else:
        select = (*(lint.select or (ALL,)), *lint.extend_select, *asked.extend_select)
        ignore = (*lint.ignore, *asked.ignore)
    return Selection(select, ignore, lint.per_file_ignores, lint.severity, _folder(config))


def options(asked: Asked, config: Config) -> Options:
    """How a file of ``config`` is analysed."""
    return Options(
        targets=asked.targets,
        every_target=config.lint.targets,
        pass_configs=dict(asked.pass_configs),
        static=asked.static,
        config=config,
        all_captured=True,
        first_specialization=(asked.specialization or config.lint.specialization) == "first",
        device_compile=asked.device_compile,
    )


def fail_level(asked: Asked, config: Config) -> Severity:
    """The severity from which on a run fails."""
    return asked.fail_level or config.lint.fail_level or DEFAULT_LEVEL


def baseline(asked: Asked, config: Config) -> Path | None:
    """The file of known findings, None where there is none."""
    return asked.baseline or _beside(config.lint.baseline, config)


def cache_folder(asked: Asked, config: Config) -> Path | None:
    """The folder of results, None where it is the user's own."""
    return asked.cache_dir or _beside(config.lint.cache_dir, config)


def _beside(name: str | None, config: Config) -> Path | None:
    return None if name is None else Path(_folder(config), name)


def _folder(config: Config) -> str:
    return str(Path(config.file).parent) if config.file else ""
