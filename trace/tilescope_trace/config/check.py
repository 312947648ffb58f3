"""Checks one value of a configuration: what is wrong is noted with its place, and the value is left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .positions import Path, Position

FIRST = Position(1, 1, 2)


@dataclass(frozen=True)
class Problem:
    """What is wrong in a configuration file, and where."""

    position: Position
    message: str


@dataclass
class Checker:
    """Collects the problems of one file."""

    positions: Mapping[Path, Position]
    problems: list[Problem] = field(default_factory=list)

    def at(self, path: Path) -> Position:
        """The position of a path, or of the nearest thing around it that has one."""
        for end in range(len(path), 0, -1):
            if path[:end] in self.positions:
                return self.positions[path[:end]]
        return FIRST

    def report(self, path: Path, message: str) -> None:
        self.problems.append(Problem(self.at(path), message))

    def wrong(self, path: Path, expected: str, value: object) -> None:
        """Note that a value has a wrong type."""
        self.report(path, f"{dotted(path)}: expected {expected}, got {kind_of(value)}")


def dotted(path: Path) -> str:
    """A path as people write it: ``tool.tilescope.kernels[0].files``."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def kind_of(value: Any) -> str:
    """What a TOML value is, in words."""
    names = {
        bool: "a boolean",
        int: "a number",
        float: "a number",
        str: "a string",
        list: "an array",
        dict: "a table",
    }
    return names.get(type(value), "a date or time")
