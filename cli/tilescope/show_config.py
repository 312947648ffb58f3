"""The settings of a lint run, and what each comes from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tilescope.output import echo_json
from tilescope.text.paths import shown
from tilescope_server.lint import settings
from tilescope_trace.cache.store import default_folder
from tilescope_trace.config.model import Config
from tilescope_trace.config.read import strictly
from tilescope_trace.model import Json
from tilescope_trace.model.public import document, to_public

from .lint_output import echo_text


@dataclass(frozen=True)
class Setting:
    """One setting; ``origin`` is ``command line``, ``default`` or ``FILE:LINE``."""

    name: str
    value: Json
    origin: str


SETTINGS: dict[str, Any] = {"settings": list[Setting]}
"""Keys of the JSON."""


def show_config(asked: settings.Asked, config: Config, paths: Sequence[Path], output_format: str) -> None:
    """Print the settings that hold for the first path, else for the working folder. Raises UsageError."""
    if paths:
        first = paths[0].absolute()
        config = strictly(str(first / "any.py" if first.is_dir() else first))
    found = list(settings_of(asked, config))
    if output_format == "json":
        echo_json(document("settings", {"settings": to_public(found)}))
        return
    for one in found:
        echo_text(f"{one.name} = {_text(one.value)}  # {one.origin}\n")


def settings_of(asked: settings.Asked, config: Config) -> Iterator[Setting]:
    """All settings of a run."""
    lint, chosen = config.lint, settings.selection(asked, config)

    def one(name: str, value: Json, given: object, configured: object) -> Setting:
        line = config.lines.get(f"lint.{name}", 1)
        origin = "command line" if given else f"{shown(config.file)}:{line}" if configured else "default"
        return Setting(name, value, origin)

    yield one("select", list(chosen.select), asked.select, lint.select)
    yield one("ignore", list(chosen.ignore), asked.ignore, lint.ignore)
    yield one("severity", dict(lint.severity), None, lint.severity)
    yield one("per_file_ignores", {k: list(v) for k, v in lint.per_file_ignores.items()}, None, lint.per_file_ignores)
    yield one("targets", list(asked.targets or lint.targets), asked.targets, lint.targets)
    kept = asked.specialization or lint.specialization or "all"
    yield one("specialization", kept, asked.specialization, lint.specialization)
    yield one("fail_level", settings.fail_level(asked, config), asked.fail_level, lint.fail_level)
    baseline = settings.baseline(asked, config)
    yield one("baseline", str(baseline) if baseline else None, asked.baseline, lint.baseline)
    folder = settings.cache_folder(asked, config) or default_folder()
    yield one("cache_dir", str(folder), asked.cache_dir, lint.cache_dir)
    yield Setting("exclude", list(config.exclude), _place(config, "exclude") if config.exclude else "default")


def _place(config: Config, key: str) -> str:
    return f"{shown(config.file)}:{config.lines.get(key, 1)}"


def _text(value: Json) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name}: {_text(item)}" for name, item in value.items()) + " }" if value else "{}"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return "none" if value is None else str(value)
