"""What a configuration key may hold: how it is read, and its JSON schema."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, ClassVar, Protocol, get_args

from tilescope_trace.errors import UsageError
from tilescope_trace.source.literals import literal_text, parse_literal
from tilescope_trace.source.targets import normalise
from tilescope_trace.source.values import UNKNOWN
from tilescope_worker.wire.facts import Json, Severity

from .check import Checker, dotted
from .model import Configured
from .positions import Path

Schema = dict[str, Any]
_TEXTS: Schema = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
_CODE = re.compile(r"TS\d{0,3}|ALL")
_DTYPE = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)+")
LITERAL = "literal"
"""The only key of a table that stands for a Python value which TOML has no form for: ``{ literal = "None" }``."""


class Kind(Protocol):
    """``read`` gives the value as the model holds it, None where it is wrong (which it has reported)."""

    @property
    def schema(self) -> Schema: ...

    def read(self, value: Any, path: Path, checker: Checker) -> Any: ...


class Text:
    """A string that is not empty."""

    schema: ClassVar[Schema] = {"type": "string", "minLength": 1}

    def read(self, value: Any, path: Path, checker: Checker) -> str | None:
        if isinstance(value, str) and value.strip():
            return value
        checker.wrong(path, "a string", value) if value != "" else checker.report(path, f"{dotted(path)}: is empty")
        return None


class Texts:
    """One string or several; ``each`` may refuse one by raising UsageError, or change it."""

    def __init__(self, expected: str, each: Callable[[str], str] = str, schema: Schema = _TEXTS) -> None:
        self.schema = schema
        self._expected = expected
        self._each = each

    def read(self, value: Any, path: Path, checker: Checker) -> tuple[str, ...] | None:
        if not isinstance(value, (str, list)):
            checker.wrong(path, self._expected, value)
            return None
        found = []
        for place, item in (
            [(path, value)] if isinstance(value, str) else [((*path, n), v) for n, v in enumerate(value)]
        ):
            if not isinstance(item, str):
                checker.wrong(place, "a string", item)
                continue
            try:
                found.append(self._each(item))
            except UsageError as error:
                checker.report(place, f"{dotted(path)}: {error}")
        return tuple(dict.fromkeys(found))


def _code(text: str) -> str:
    if _CODE.fullmatch(text):
        return text
    raise UsageError(f"{text!r} is no rule code; write one such as TS203, or the beginning of several such as TS2")


class Choice:
    """One of a few words."""

    def __init__(self, *words: str) -> None:
        self._words = words

    @property
    def schema(self) -> Schema:
        return {"enum": list(self._words)}

    def read(self, value: Any, path: Path, checker: Checker) -> str | None:
        if value in self._words:
            return str(value)
        checker.report(
            path, f"{dotted(path)}: expected {', '.join(self._words[:-1])} or {self._words[-1]}, got {value!r}"
        )
        return None


GLOBS = Texts("a glob or an array of globs")
TARGETS = Texts("a target name or an array of them", normalise)
CODES = Texts("a rule code or an array of them", _code)


class IgnoresByGlob:
    """A table from globs to rule codes."""

    schema: ClassVar[Schema] = {"type": "object", "additionalProperties": _TEXTS}

    def read(self, value: Any, path: Path, checker: Checker) -> dict[str, tuple[str, ...]] | None:
        if not isinstance(value, dict):
            checker.wrong(path, "a table from globs to rule codes", value)
            return None
        found = {glob: CODES.read(codes, (*path, glob), checker) for glob, codes in value.items()}
        return {glob: codes for glob, codes in found.items() if codes is not None}


class PassConfigs:
    """A table of pass configs by their TileLang names."""

    schema: ClassVar[Schema] = {"type": "object"}

    def read(self, value: Any, path: Path, checker: Checker) -> dict[str, Json] | None:
        if not isinstance(value, dict):
            checker.wrong(path, "a table", value)
            return None
        # `tl.disable_tma_lower = true` without quotes is a table in a table.
        return {name: item for name, item in _flat(value, "") if self._is_json(item, (*path, name), checker)}

    def _is_json(self, value: Any, path: Path, checker: Checker) -> bool:
        if isinstance(value, list):
            return all(self._is_json(item, path, checker) for item in value)
        if isinstance(value, (bool, int, float, str)):
            return True
        checker.wrong(path, "a boolean, a number, a string or an array", value)
        return False


def _flat(table: dict[str, Any], before: str) -> list[tuple[str, Any]]:
    return [
        pair
        for key, value in table.items()
        for pair in (_flat(value, f"{before}{key}.") if isinstance(value, dict) else [(before + key, value)])
    ]


class Arguments:
    """A table of argument values, or an array of such tables: one specialization each."""

    _value: ClassVar[Schema] = {
        "anyOf": [
            {"type": ["boolean", "number", "string", "array"]},
            {
                "type": "object",
                "properties": {LITERAL: {"type": "string", "description": "A Python literal, such as (64, 64)."}},
                "required": [LITERAL],
                "additionalProperties": False,
            },
        ]
    }
    _table: ClassVar[Schema] = {"type": "object", "additionalProperties": _value}
    schema: ClassVar[Schema] = {"anyOf": [_table, {"type": "array", "items": _table}]}

    def read(self, value: Any, path: Path, checker: Checker) -> tuple[dict[str, Configured], ...] | None:
        if isinstance(value, dict):
            return (self._one(value, path, checker),)
        if isinstance(value, list) and all(isinstance(item, dict) for item in value):
            return tuple(self._one(item, (*path, number), checker) for number, item in enumerate(value))
        checker.wrong(path, "a table or an array of tables", value)
        return None

    def _one(self, table: dict[str, Any], path: Path, checker: Checker) -> dict[str, Configured]:
        found = {}
        for name, value in table.items():
            text = self._text(value, (*path, name), checker)
            if not name.isidentifier():
                checker.report((*path, name), f"{dotted(path)}: {name!r} is no parameter name")
            elif text is not None:
                found[name] = Configured(text, checker.at((*path, name)).line)
        return found

    def _text(self, value: Any, path: Path, checker: Checker) -> str | None:
        if isinstance(value, dict) and list(value) == [LITERAL] and isinstance(value[LITERAL], str):
            text = literal_text(parse_literal(value[LITERAL]))
            if text is None:
                checker.report(path, f"{dotted(path)}: {value[LITERAL]!r} is no Python literal and no dtype name")
            return text
        if isinstance(value, str) and _DTYPE.fullmatch(value) and (dtype := parse_literal(value)) is not UNKNOWN:
            return literal_text(dtype)
        if isinstance(value, (bool, int, float, str, list)) and (text := literal_text(value)) is not None:
            return text
        checker.wrong(path, f'a boolean, a number, a string, an array or {{ {LITERAL} = "..." }}', value)
        return None


class Severities:
    """A table from rule codes to severities."""

    schema: ClassVar[Schema] = {
        "type": "object",
        "propertyNames": {"pattern": "^(TS[0-9]{0,3}|ALL)$"},
        "additionalProperties": {"enum": list(get_args(Severity))},
    }

    def read(self, value: Any, path: Path, checker: Checker) -> dict[str, Severity] | None:
        if not isinstance(value, dict):
            checker.wrong(path, "a table", value)
            return None
        found = {}
        for code, severity in value.items():
            place = (*path, code)
            try:
                _code(code)
            except UsageError as error:
                checker.report(place, f"{dotted(path)}: {error}")
                continue
            if severity in get_args(Severity):
                found[code] = severity
            else:
                known = ", ".join(get_args(Severity))
                checker.report(place, f"{dotted(place)}: {severity!r} is no severity; there are {known}")
        return found
