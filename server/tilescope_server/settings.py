"""What the client sends as ``initializationOptions``, checked, as what the code uses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Any

from tilescope_trace.errors import UsageError


@dataclass(frozen=True)
class Settings:
    """Settings of one session; each field is an option of the same name."""

    trusted: bool = False
    """May kernels of this workspace be executed? Anything but ``true`` means no."""

    target: str | None = None
    """Target that overrides what files say, such as ``cuda:sm_90a``."""

    interpreter: str | None = None
    """Python that has tilelang; searched for when absent. Read in trusted workspaces only."""

    pass_configs: dict[str, Any] = field(default_factory=dict)
    """Pass configs, over the kernel's own."""

    hints: bool = True
    """Show inlay hints."""

    diagnostics: bool = True
    """Publish diagnostics."""

    debounce_min_ms: float = 30.0
    """Shortest wait between an edit and its analysis, in ms."""

    debounce_max_ms: float = 400.0
    """Longest wait between an edit and its analysis, in ms; the wait follows recent analysis times."""


def read(options: object) -> tuple[Settings, tuple[str, ...]]:
    """The settings in ``options`` and a message for each option that is unknown or has a wrong type; such an option
    keeps its default (so a wrong ``trusted`` never grants trust). Never raises."""
    if options is None:
        return Settings(), ()
    if not isinstance(options, dict):
        return Settings(), (f"initializationOptions: expected an object, got {_kind(options)}; all options ignored",)
    values: dict[str, Any] = {}
    problems: list[str] = []
    for name, value in options.items():
        check = _CHECKS.get(name)
        if check is None:
            known = ", ".join(sorted(_CHECKS))
            problems.append(f"initializationOptions.{name}: unknown option ignored; known are {known}")
        elif value is None and name in _OPTIONAL:
            continue
        elif not check[1](value):
            problems.append(f"initializationOptions.{name}: expected {check[0]}, got {_kind(value)}; option ignored")
        else:
            values[name] = value
    if "target" in values and (problem := _target_problem(values["target"])) is not None:
        problems.append(f"initializationOptions.target: {problem}; option ignored")
        del values["target"]
    settings = Settings(**values)
    if settings.debounce_min_ms > settings.debounce_max_ms:
        problems.append("initializationOptions.debounce_min_ms: greater than debounce_max_ms; both ignored")
        default = Settings()
        settings = replace(settings, debounce_min_ms=default.debounce_min_ms, debounce_max_ms=default.debounce_max_ms)
    return settings, tuple(problems)


def _target_problem(name: str) -> str | None:
    from tilescope_trace.source.targets import normalise

    try:
        normalise(name)
    except UsageError as error:
        return str(error)
    return None


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


def _is_duration(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 60_000


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


_CHECKS: dict[str, tuple[str, Callable[[object], bool]]] = {
    "trusted": ("true or false", _is_bool),
    "target": ("a target name", _is_text),
    "interpreter": ("a path", _is_text),
    "pass_configs": ("an object", _is_object),
    "hints": ("true or false", _is_bool),
    "diagnostics": ("true or false", _is_bool),
    "debounce_min_ms": ("a number of ms between 0 and 60000", _is_duration),
    "debounce_max_ms": ("a number of ms between 0 and 60000", _is_duration),
}
_OPTIONAL = {item.name for item in fields(Settings) if item.name != "trusted"}
"""``null`` means the default; for ``trusted`` it is worth a message like any other value that is not a bool."""


def _kind(value: object) -> str:
    names = {
        dict: "an object",
        list: "an array",
        tuple: "an array",
        str: "a string",
        bool: "a boolean",
        type(None): "null",
    }
    return names.get(type(value), "a number" if isinstance(value, (int, float)) else type(value).__name__)
