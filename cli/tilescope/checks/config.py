"""The configuration that holds here: where it is, and what it says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tilescope.text.paths import shown
from tilescope_trace.config.keys import LINT
from tilescope_trace.config.model import NAMES, Config
from tilescope_trace.config.read import config_for

from .check import Check

SHOWN = ("targets", "interpreter", "exclude", "pass_configs", *(f"lint.{key}" for key in LINT.keys))
"""Keys whose values are told; what ``kernels`` says is shown with the facts of the kernels it is for."""


def check_config(path: Path) -> Check:
    """What holds for a file at ``path``, each setting with its line."""
    read = config_for(str(path))
    config = read.config
    if not config.file:
        return Check("config", "ok", f"none: no {NAMES[0]}, and no [tool.tilescope] in a {NAMES[1]} here or above")
    if read.findings:
        said = "; ".join(f"line {one.line}: {one.message}" for one in read.findings)
        lost = "what is wrong is not used by an editor; commands refuse to run"
        return Check(
            "config", "broken", f"{shown(config.file)}: {said}", lost, "mend the file; docs/configuration.md"
        )
    return Check("config", "ok", f"{shown(config.file)}: {'; '.join(_told(config)) or 'says nothing'}")


def _told(config: Config) -> Iterator[str]:
    for key in SHOWN:
        value = getattr(config.lint, key.removeprefix("lint.")) if "." in key else getattr(config, key)
        if value:
            yield f"{key} = {_text(value)} (line {config.lines.get(key, 1)})"
    for entry in config.kernels:
        what = " of ".join([entry.kernel or "kernels", " ".join(entry.files) or "all files"])
        yield f"{what} (line {entry.line})"


def _text(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}: {one}" for name, one in value.items())
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
