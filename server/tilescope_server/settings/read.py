"""Settings from what a client sends, checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar

from tilescope_trace.errors import UsageError

from .kinds import kind_of
from .model import GROUPS, TABLE, Debounce, Setting, Settings

_BY_NAME = {one.name: one for one in TABLE}
T = TypeVar("T")


def read(options: object, where: str = "initializationOptions") -> tuple[Settings, tuple[str, ...]]:
    """The settings in ``options`` and a message for each one that is unknown or wrong; such a setting keeps its
    default (so a wrong ``trusted`` never grants trust). Never raises.

    Groups are objects (``{"hints": {"maxLength": 30}}``) or dotted names (``{"hints.maxLength": 30}``); a group
    given as true or false means its ``enabled``; null means the default."""
    if options is None:
        return Settings(), ()
    if not isinstance(options, dict):
        return Settings(), (f"{where}: expected an object, got {kind_of(options)}; all options ignored",)
    values: dict[tuple[str, ...], Any] = {}
    problems: list[str] = []
    for name, value in _flat(options):
        known = _BY_NAME.get(name)
        if name in GROUPS:
            problems.append(f"{where}.{name}: expected an object, got {kind_of(value)}; option ignored")
        elif known is None:
            problems.append(f"{where}.{name}: unknown option ignored; known are {', '.join(_BY_NAME)}")
        elif value is None and known.name != "trusted":
            continue
        elif (problem := _problem(known, value)) is not None:
            problems.append(f"{where}.{name}: {problem}; option ignored")
        else:
            values[known.path] = value
    settings = _with(Settings(), values)
    if settings.debounce.min_ms > settings.debounce.max_ms:
        problems.append(f"{where}.debounce.minMs: greater than debounce.maxMs; both ignored")
        settings = replace(settings, debounce=Debounce())
    return settings, tuple(problems)


def _flat(options: Mapping[Any, object], prefix: str = "") -> Iterator[tuple[str, object]]:
    for key, value in options.items():
        name = f"{prefix}{key}"
        if name not in GROUPS:
            yield name, value
        elif isinstance(value, dict):
            yield from _flat(value, f"{name}.")
        elif value is not None:
            # Something else than an object is told by the name of the group where it has no switch.
            enabled = f"{name}.enabled"
            yield (enabled if enabled in _BY_NAME and isinstance(value, bool) else name), value


def _problem(setting: Setting, value: object) -> str | None:
    if not setting.kind.fits(value):
        return f"expected {setting.kind.words}, got {_told(value)}"
    if setting.name == "target":
        from tilescope_trace.source.targets import normalise  # slow to import: not at every start

        try:
            normalise(str(value))
        except UsageError as error:
            return str(error)
    return None


def _told(value: object) -> str:
    simple = isinstance(value, (int, float, str)) and not isinstance(value, bool) and len(str(value)) < 40
    return f"{kind_of(value)} ({value!r})" if simple else kind_of(value)


def _with(settings: T, values: Mapping[tuple[str, ...], Any], path: tuple[str, ...] = ()) -> T:
    """The (group of) settings with these values at their places."""
    chosen: dict[str, Any] = {}
    for item in fields(settings):  # type: ignore[arg-type]
        there = (*path, item.name)
        if "group" in item.metadata:
            chosen[item.name] = _with(getattr(settings, item.name), values, there)
        elif there in values:
            chosen[item.name] = values[there]
    return replace(settings, **chosen)  # type: ignore[type-var]
