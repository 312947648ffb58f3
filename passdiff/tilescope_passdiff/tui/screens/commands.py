"""The command palette: all that can be done here, by its name.

Textual has one, whose list ends the program with a KeyError where keys come faster than it is drawn.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from tilescope_passdiff.tui.fuzzy import matches

from .finder import Entry, Finder

KEY_ROOM = 12
"""Cells for the names of keys."""

Run = Callable[[], Awaitable[object] | None]


@dataclass(frozen=True)
class Command:
    """One thing to do; ``pressed`` is the key that does it as well, if one does."""

    title: str
    pressed: str
    run: Run


class Commands(Finder[Run]):
    """Ends with what to run."""

    def __init__(self, commands: Sequence[Command]) -> None:
        super().__init__("Commands", "part of a command or of a pass, or its letters: lyinf")
        self._commands = commands

    def list_for(self, typed: str) -> None:
        wanted = [command for command in self._commands if matches(typed, command.title)]
        # What holds the words as they are before what only has their letters.
        wanted.sort(key=lambda command: typed.lower() not in command.title.lower())
        self.entries.take(
            [Entry(((f"{one.pressed:<{KEY_ROOM}}", "bold"), (one.title, "text")), one.run) for one in wanted],
            keep=False,
        )
        self.say("" if wanted else "no command with these letters")
