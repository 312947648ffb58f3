"""What the reader chose and wants to find again: kept in the user's own folder, and never needed."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import msgspec
import platformdirs


@dataclass(frozen=True)
class Choices:
    """``theme`` is the name of a theme, None while none was chosen."""

    theme: str | None = None


def choices_path(environment: Mapping[str, str]) -> Path:
    """The file; TILESCOPE_STATE names another folder."""
    folder = environment.get("TILESCOPE_STATE")
    return (Path(folder) if folder else platformdirs.user_state_path("tilescope")) / "view.json"


def read_choices(environment: Mapping[str, str]) -> Choices:
    """What was chosen before; nothing where that cannot be read."""
    try:
        return msgspec.json.decode(choices_path(environment).read_bytes(), type=Choices)
    except (OSError, ValueError, RecursionError):
        return Choices()


def write_choices(environment: Mapping[str, str], choices: Choices) -> None:
    """Keeps what was chosen, where there is a folder to keep it in."""
    path = choices_path(environment)
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(asdict(choices)) + "\n", encoding="utf-8")
