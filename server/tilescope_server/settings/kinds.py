"""What a setting may hold: how a value is judged, and its JSON schema."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

Schema = dict[str, Any]


class Kind(Protocol):
    """``words`` complete "expected ...". ``optional`` kinds have no value (null) by default."""

    @property
    def words(self) -> str: ...

    @property
    def schema(self) -> Schema: ...

    @property
    def optional(self) -> bool: ...

    def fits(self, value: object) -> bool:
        """Whether a JSON value is one of these."""
        ...


@dataclass(frozen=True)
class Flag:
    """True or false, nothing that merely looks like it."""

    words: str = "true or false"
    optional: bool = False

    @property
    def schema(self) -> Schema:
        return {"type": "boolean"}

    def fits(self, value: object) -> bool:
        return isinstance(value, bool)


@dataclass(frozen=True)
class Number:
    """A number from ``least`` to ``most``; ``unit`` is a word for messages."""

    least: int
    most: int
    unit: str = ""
    whole: bool = True
    optional: bool = False

    @property
    def words(self) -> str:
        number = "a whole number" if self.whole else "a number"
        return f"{number}{f' of {self.unit}' if self.unit else ''} between {self.least} and {self.most}"

    @property
    def schema(self) -> Schema:
        return {"type": "integer" if self.whole else "number", "minimum": self.least, "maximum": self.most}

    def fits(self, value: object) -> bool:
        kinds = int if self.whole else (int, float)
        return isinstance(value, kinds) and not isinstance(value, bool) and self.least <= value <= self.most


@dataclass(frozen=True)
class Choice:
    """One of some words."""

    among: tuple[str, ...]
    optional: bool = False

    @property
    def words(self) -> str:
        return f"one of {', '.join(self.among)}"

    @property
    def schema(self) -> Schema:
        return {"type": "string", "enum": list(self.among)}

    def fits(self, value: object) -> bool:
        return value in self.among if isinstance(value, str) else False


@dataclass(frozen=True)
class Text:
    """A string that is not blank, or none; ``what`` says of what."""

    what: str
    optional: bool = True

    @property
    def words(self) -> str:
        return self.what

    @property
    def schema(self) -> Schema:
        return {"type": ["string", "null"]}

    def fits(self, value: object) -> bool:
        return isinstance(value, str) and bool(value.strip())


@dataclass(frozen=True)
class Table:
    """A JSON object with any keys."""

    words: str = "an object"
    optional: bool = False

    @property
    def schema(self) -> Schema:
        return {"type": "object"}

    def fits(self, value: object) -> bool:
        return isinstance(value, dict)


def kind_of(value: object) -> str:
    """What a JSON value is, in words."""
    names = {
        dict: "an object",
        list: "an array",
        tuple: "an array",
        str: "a string",
        bool: "a boolean",
        type(None): "null",
    }
    return names.get(type(value), "a number" if isinstance(value, (int, float)) else type(value).__name__)
