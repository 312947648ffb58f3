"""Whether this session may execute the workspace's code, and what follows from it.

The client decides (VS Code: workspace trust), once, at start-up. Untrusted, no process is started and no executable
path is read from settings or from the workspace: the interpreter option counts only when trusted.
"""

from __future__ import annotations

from dataclasses import dataclass

from .settings import Settings


@dataclass(frozen=True)
class Trust:
    """``interpreter`` is the one asked for, None where none was or where it must not be used."""

    may_execute: bool
    interpreter: str | None


def decide(settings: Settings) -> Trust:
    """The trust of a session with these settings."""
    if settings.trusted is not True:
        return Trust(may_execute=False, interpreter=None)
    return Trust(may_execute=True, interpreter=settings.interpreter)
